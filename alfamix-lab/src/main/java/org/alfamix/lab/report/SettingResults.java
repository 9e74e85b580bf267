package org.alfamix.lab.report;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.alfamix.lab.run.LatentSpace;
import org.alfamix.lab.run.Round;
import org.alfamix.lab.run.RunFile;
import org.alfamix.lab.setting.Setting;

/**
 * The results of a setting.
 *
 * @param setting the setting, with only the rounds that are shown
 * @param planned number of planned rounds
 * @param methods the methods with complete runs, in the order of the setting
 * @param unfinished number of incomplete runs
 */
public record SettingResults(
    Setting setting,
    int planned,
    List<MethodResults> methods,
    int unfinished,
    Optional<LatentSpace> latent) {

  public SettingResults {
    methods = List.copyOf(methods);
  }

  public Optional<MethodResults> method(String label) {
    return methods.stream().filter(method -> method.method().label().equals(label)).findFirst();
  }

  public int rounds() {
    return setting.schedule().rounds();
  }

  /** Returns the number of labels of each round. */
  public int[] labels() {
    return runs().findFirst().orElseThrow().rounds().stream()
        .limit(rounds() + 1L)
        .mapToInt(round -> round.labelled().length)
        .toArray();
  }

  Stream<RunFile> runs() {
    return methods.stream().flatMap(method -> method.runs().values().stream());
  }

  /** Returns the largest number of seeds of a method. */
  public int seeds() {
    return methods.stream().mapToInt(method -> method.runs().size()).max().orElse(0);
  }

  /** Returns the smallest number of seeds of a method. */
  public int fewestSeeds() {
    return methods.stream().mapToInt(method -> method.runs().size()).min().orElse(0);
  }

  /** Describes the number of seeds, which may differ between methods: {@code 2 to 5 seeds}. */
  public String seedsInWords() {
    int least = fewestSeeds();
    int most = seeds();
    if (least == most) {
      return most == 1 ? "one seed" : most + " seeds";
    }
    return least + " to " + most + " seeds";
  }

  /**
   * Returns the accuracies of two methods in rounds 1 to R with their common seeds. Round 0 is not
   * counted, because it is the same for all methods.
   *
   * @return two arrays, seed × round; empty if there are no common seeds
   */
  double[][][] paired(MethodResults first, MethodResults second, int rounds) {
    SortedMap<Long, RunFile> common = new TreeMap<>(first.runs());
    common.keySet().retainAll(second.runs().keySet());
    double[][][] pair = new double[2][common.size()][];
    int s = 0;
    for (long seed : common.keySet()) {
      pair[0][s] = later(first.runs().get(seed), rounds);
      pair[1][s++] = later(second.runs().get(seed), rounds);
    }
    return pair;
  }

  private static double[] later(RunFile run, int rounds) {
    return run.rounds().stream().skip(1).limit(rounds).mapToDouble(Round::accuracy).toArray();
  }
}
