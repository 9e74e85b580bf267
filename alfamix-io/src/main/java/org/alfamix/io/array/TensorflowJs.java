package org.alfamix.io.array;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.alfamix.io.DataException;
import org.alfamix.io.table.JsonTree;

/**
 * Weights in the format of TensorFlow.js: a {@code model.json} that lists tensors in groups, and
 * files in the same folder with the concatenated values of each group, split at arbitrary bytes.
 * Only 32-bit floats are supported.
 */
public final class TensorflowJs implements ArrayBundle {
  private static final int WIDTH = 4;

  private record Tensor(ByteSource group, long offset, long[] shape) {}

  private final Path model;
  private final Map<String, Tensor> tensors;

  private TensorflowJs(Path model, Map<String, Tensor> tensors) {
    this.model = model;
    this.tensors = tensors;
  }

  /**
   * Reads the list of tensors, and checks that the files have the expected size.
   *
   * @param model the {@code model.json}
   */
  public static TensorflowJs open(Path model) {
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    for (JsonTree group : JsonTree.read(model).get("weightsManifest").list()) {
      List<Path> files =
          group.get("paths").list().stream().map(path -> sibling(model, path.text())).toList();
      long[] starts = starts(files);
      ByteSource source = concatenate(files, starts);
      long offset = 0;
      for (JsonTree tensor : group.get("weights").list()) {
        String name = tensor.get("name").text();
        if (!tensor.get("dtype").text().equals("float32") || tensor.has("quantization")) {
          throw new DataException(
              "%s: %s: expected type float32 without quantization.".formatted(model, name));
        }
        long[] shape = Arrays.stream(tensor.get("shape").integers()).asLongStream().toArray();
        tensors.put(name, new Tensor(source, offset, shape));
        offset += WIDTH * Arrays.stream(shape).reduce(1, Math::multiplyExact);
      }
      if (offset != starts[files.size()]) {
        throw new DataException(
            "%s: the files of a weight group have %d bytes, expected %d."
                .formatted(model, starts[files.size()], offset));
      }
    }
    return new TensorflowJs(model, tensors);
  }

  /** Resolves a file name; a model must not refer to files outside its folder. */
  private static Path sibling(Path model, String name) {
    if (name.contains("/") || name.contains("\\") || name.startsWith(".")) {
      throw new DataException(
          "%s: '%s' is not the name of a file in the same folder.".formatted(model, name));
    }
    return model.resolveSibling(name);
  }

  private static long[] starts(List<Path> files) {
    long[] starts = new long[files.size() + 1];
    for (int i = 0; i < files.size(); i++) {
      try {
        starts[i + 1] = starts[i] + Files.size(files.get(i));
      } catch (IOException e) {
        throw DataException.unreadable(files.get(i), e);
      }
    }
    return starts;
  }

  /** Concatenates several files. */
  private static ByteSource concatenate(List<Path> files, long[] starts) {
    List<ByteSource> parts = files.stream().map(ByteSource::of).toList();
    return (position, target) -> {
      long at = position;
      int end = target.limit();
      while (target.position() < end) {
        int found = Arrays.binarySearch(starts, at);
        int part = found >= 0 ? found : -found - 2;
        long left = starts[part + 1] - at;
        target.limit((int) Math.min(end, target.position() + left));
        int count = target.remaining();
        parts.get(part).read(at - starts[part], target);
        at += count;
        target.limit(end);
      }
    };
  }

  @Override
  public String name() {
    return model.toString();
  }

  @Override
  public List<String> names() {
    return List.copyOf(tensors.keySet());
  }

  @Override
  public Optional<long[]> shape(String name) {
    return Optional.ofNullable(tensors.get(name)).map(tensor -> tensor.shape().clone());
  }

  @Override
  public NumericArray array(String name) {
    Tensor tensor = tensors.get(name);
    if (tensor == null) {
      throw noSuchArray(name);
    }
    return new NumericArray(
        model + ": " + name,
        tensor.group(),
        tensor.offset(),
        ElementType.F4,
        ByteOrder.LITTLE_ENDIAN,
        tensor.shape());
  }
}
