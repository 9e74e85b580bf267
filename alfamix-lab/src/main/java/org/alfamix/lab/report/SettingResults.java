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
 * What came of a setting.
 *
 * @param setting with the rounds that are shown
 * @param planned how many rounds there are to be
 * @param methods those that have finished runs, in the order of the setting
 * @param unfinished how many runs have begun but not ended
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

  /** How many labels each round has. */
  public int[] labels() {
    return runs().findFirst().orElseThrow().rounds().stream()
        .limit(rounds() + 1L)
        .mapToInt(round -> round.labelled().length)
        .toArray();
  }

  Stream<RunFile> runs() {
    return methods.stream().flatMap(method -> method.runs().values().stream());
  }

  /** The largest number of seeds that a method was run with. */
  public int seeds() {
    return methods.stream().mapToInt(method -> method.runs().size()).max().orElse(0);
  }

  /** The smallest number of seeds that a method was run with. */
  public int fewestSeeds() {
    return methods.stream().mapToInt(method -> method.runs().size()).min().orElse(0);
  }

  /** The same in words, where methods may have different numbers: {@code 2 to 5 seeds}. */
  public String seedsInWords() {
    int least = fewestSeeds();
    int most = seeds();
    if (least == most) {
      return most == 1 ? "one seed" : most + " seeds";
    }
    return least + " to " + most + " seeds";
  }

  /**
   * The accuracies of two methods with the seeds that both have, rounds 1 to R: round 0 is the same
   * for all and counts for none.
   *
   * @return two arrays, seed × round; no seeds where there are none in common
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
