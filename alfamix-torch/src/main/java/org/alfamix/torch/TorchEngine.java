package org.alfamix.torch;

import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.alfamix.learn.Learner;
import org.alfamix.learn.LearnerEngine;
import org.alfamix.learn.LearnerSpec;
import org.alfamix.learn.TrainingOptions;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.global.torch;

/** Creates learners on libtorch; found by {@link LearnerEngine#find}. */
public final class TorchEngine implements LearnerEngine {

  @Override
  public String description() {
    Torch.load();
    return "libtorch " + torch.class.getPackage().getImplementationVersion();
  }

  @Override
  public String device(String name) {
    try (Device device = Torch.device(name)) {
      return device.str().getString();
    }
  }

  @Override
  public List<NetworkInfo> networks() {
    return Architectures.all().stream()
        .map(architecture -> new NetworkInfo(architecture.name(), architecture.description()))
        .toList();
  }

  @Override
  public Learner create(LearnerSpec spec) {
    return new TorchLearner(spec);
  }

  @Override
  public boolean reads(Path file) {
    return file.toString().endsWith(Checkpoint.EXTENSION);
  }

  @Override
  public void requireSavable(Path file) {
    Checkpoint.requireWritable(file);
  }

  @Override
  public Loaded load(
      Path file, int threads, String device, UnaryOperator<TrainingOptions> training) {
    return Checkpoint.read(file, threads, device, training);
  }
}
