package com.example.plugin;

import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.learn.Learner;
import org.alfamix.learn.LearnerEngine;
import org.alfamix.learn.LearnerSpec;
import org.alfamix.learn.TrainingOptions;

/** A learner on another library: logistic regression of Tribuo. */
public final class TribuoEngine implements LearnerEngine {
  static final String NETWORK = "tribuo-logistic";

  @Override
  public String description() {
    return "Tribuo";
  }

  @Override
  public String device(String name) {
    if (!name.equals("auto") && !name.equals("cpu")) {
      throw new InvalidRequestException(
          "device", "is '%s', but Tribuo only runs on the cpu.".formatted(name));
    }
    return "cpu";
  }

  @Override
  public List<NetworkInfo> networks() {
    return List.of(new NetworkInfo(NETWORK, "logistic regression of Tribuo, for tables"));
  }

  @Override
  public Learner create(LearnerSpec spec) {
    return new TribuoLearner(spec);
  }

  @Override
  public boolean reads(Path file) {
    return false;
  }

  @Override
  public void requireSavable(Path file) {
    throw new InvalidRequestException(NETWORK + " cannot be saved.");
  }

  @Override
  public Loaded load(
      Path file, int threads, String device, UnaryOperator<TrainingOptions> training) {
    throw new InvalidRequestException(NETWORK + " cannot be loaded.");
  }
}
