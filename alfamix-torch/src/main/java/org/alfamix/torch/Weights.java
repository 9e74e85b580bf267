package org.alfamix.torch;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.alfamix.io.DataException;
import org.alfamix.io.array.ArrayBundle;
import org.alfamix.io.array.NumericArray;
import org.alfamix.io.array.TensorflowJs;

/**
 * Loads pre-trained weights into a network. Tensors are found by the network's names, by the names
 * of other programs, and behind a common prefix that training programs add. Missing tensors are an
 * error, and so are surplus ones, because then the file belongs to another network; only surplus
 * heads and counters are ignored.
 */
final class Weights {
  private static final Set<String> HEADS =
      Set.of("fc", "head", "heads", "classifier", "pre_logits");
  private static final int SHOWN = 3;

  /** A file of named tensors. */
  interface Source {
    String name();

    List<String> names();

    long[] shape(String name);

    float[] values(String name);
  }

  private final Architecture architecture;
  private final Parameters parameters;
  private final Source source;

  private Weights(Architecture architecture, Parameters parameters, Source source) {
    this.architecture = architecture;
    this.parameters = parameters;
    this.source = source;
  }

  /**
   * Overwrites the tensors of a network.
   *
   * @param path a file of tensors, or the folder of published weights
   * @param head whether to load the head, too
   * @throws DataException if the tensors do not fit the network
   */
  static void load(Path path, Architecture architecture, Parameters parameters, boolean head) {
    new Weights(architecture, parameters, open(path)).load(head);
    try {
      parameters.requireFinite();
    } catch (DataException e) {
      throw new DataException(path + ": " + e.getMessage(), e);
    }
  }

  private static Source open(Path path) {
    if (Files.isDirectory(path)) {
      return new KerasResNet50(TensorflowJs.open(path.resolve("model.json")));
    }
    ArrayBundle bundle = ArrayBundle.open(path);
    return new Source() {
      @Override
      public String name() {
        return bundle.name();
      }

      @Override
      public List<String> names() {
        return bundle.names();
      }

      @Override
      public long[] shape(String name) {
        return bundle.shape(name).orElse(new long[0]);
      }

      @Override
      public float[] values(String name) {
        NumericArray array = bundle.array(name);
        return array.readFloats();
      }
    };
  }

  private void load(boolean head) {
    List<String> wanted =
        parameters.shapes().keySet().stream().filter(name -> head || !isHead(name)).toList();
    Map<String, List<String>> namesOf = new LinkedHashMap<>();
    for (String name : wanted) {
      List<String> all = new ArrayList<>(List.of(name));
      all.addAll(architecture.aliases(name));
      namesOf.put(name, all);
    }
    Set<String> available = new LinkedHashSet<>(source.names());
    String prefix = prefix(namesOf, available);
    Map<String, List<String>> found = new LinkedHashMap<>();
    List<String> missing = new ArrayList<>();
    namesOf.forEach(
        (name, all) -> {
          List<String> parts = architecture.parts(name).stream().map(prefix::concat).toList();
          Optional<String> whole =
              all.stream().map(prefix::concat).filter(available::contains).findFirst();
          if (whole.isPresent()) {
            found.put(name, List.of(whole.get()));
          } else if (!parts.isEmpty() && available.containsAll(parts)) {
            found.put(name, parts);
          } else {
            missing.add(name);
          }
        });
    Set<String> used = new LinkedHashSet<>();
    found.values().forEach(used::addAll);
    List<String> surplus =
        available.stream()
            .filter(name -> name.startsWith(prefix) && !used.contains(name))
            .filter(name -> !isIgnorable(name.substring(prefix.length())))
            .toList();
    requireExact(wanted.size(), prefix, missing, surplus);
    found.forEach(this::set);
  }

  private boolean isHead(String name) {
    return name.startsWith(architecture.head() + ".");
  }

  private static boolean isIgnorable(String name) {
    return name.endsWith("num_batches_tracked") || HEADS.contains(name.split("\\.", 2)[0]);
  }

  private void requireExact(int count, String prefix, List<String> missing, List<String> surplus) {
    String network = architecture.name();
    if (!missing.isEmpty()) {
      throw new DataException(
          "%s: %d of the %d tensors of %s are missing%s: %s. %s"
              .formatted(
                  source.name(),
                  missing.size(),
                  count,
                  network,
                  prefix.isEmpty() ? "" : " (with the prefix '" + prefix + "')",
                  abbreviate(missing),
                  surplus.isEmpty()
                      ? "The file has no other tensors."
                      : "The file has %d others: %s."
                          .formatted(surplus.size(), abbreviate(surplus))));
    }
    if (!surplus.isEmpty()) {
      throw new DataException(
          "%s: found tensors that %s does not have (%d): %s. The file belongs to another network."
              .formatted(source.name(), network, surplus.size(), abbreviate(surplus)));
    }
  }

  private static String abbreviate(List<String> names) {
    return String.join(", ", names.subList(0, Math.min(SHOWN, names.size())))
        + (names.size() > SHOWN ? ", …" : "");
  }

  /** Returns the most common prefix. DINO stores two networks, of which the teacher is better. */
  private static String prefix(Map<String, List<String>> namesOf, Set<String> available) {
    Map<String, Integer> counts = new TreeMap<>();
    List<String> names = namesOf.values().stream().flatMap(List::stream).toList();
    for (String name : available) {
      for (String known : names) {
        if (name.endsWith(known)) {
          String before = name.substring(0, name.length() - known.length());
          if (before.isEmpty() || before.endsWith(".")) {
            counts.merge(before, 1, Integer::sum);
          }
        }
      }
    }
    return counts.entrySet().stream()
        .max(
            Map.Entry.<String, Integer>comparingByValue()
                .thenComparing(Map.Entry.comparingByKey(Comparator.comparing(Weights::isTeacher)))
                .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
        .map(Map.Entry::getKey)
        .orElse("");
  }

  private static boolean isTeacher(String prefix) {
    return prefix.contains("teacher");
  }

  private void set(String name, List<String> inFile) {
    long[] expected = parameters.shapes().get(name);
    long[] shape = shape(inFile);
    float[] values = values(inFile);
    if (!Arrays.equals(shape, expected)) {
      values =
          architecture
              .reshaped(name, values, shape, expected)
              .orElseThrow(
                  () ->
                      new DataException(
                          "%s: %s: shape %s, expected %s."
                              .formatted(
                                  source.name(),
                                  String.join(", ", inFile),
                                  Arrays.toString(shape),
                                  Arrays.toString(expected))));
    }
    parameters.set(name, values);
  }

  /** Returns the shape of a tensor, or of several tensors when concatenated. */
  private long[] shape(List<String> inFile) {
    long[] shape = source.shape(inFile.get(0)).clone();
    for (String other : inFile.subList(1, inFile.size())) {
      long[] next = source.shape(other);
      if (next.length != shape.length || shape.length == 0) {
        return new long[0];
      }
      shape[0] += next[0];
    }
    return shape;
  }

  private float[] values(List<String> inFile) {
    List<float[]> all = inFile.stream().map(source::values).toList();
    float[] values = new float[all.stream().mapToInt(part -> part.length).sum()];
    int at = 0;
    for (float[] part : all) {
      System.arraycopy(part, 0, values, at, part.length);
      at += part.length;
    }
    return values;
  }
}
