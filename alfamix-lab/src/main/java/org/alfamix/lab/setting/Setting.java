package org.alfamix.lab.setting;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.learn.TrainingOptions;
import org.alfamix.learn.Tuning;

/**
 * One experimental configuration: a data set, a network, the number of labels of each round, and
 * the methods to compare.
 *
 * @param name the identifier, which is also the name of its folder of results
 * @param title the title in reports
 * @param paper its number in the paper, if it is one of the paper's settings
 * @param standsInFor the number of the paper's setting that this one replaces, with publicly
 *     available data
 * @param note a remark for reports
 * @param groups its groups in tables, by factor: data, architecture, initialization, budget
 * @param methods the methods to compare by default; empty for the paper's methods
 * @param seeds the default number of seeds
 * @param firstSeed the first seed
 * @param latentItems number of items in the map of the latent space; 0 for no map
 * @param yaml the text that the setting was read from
 */
public record Setting(
    String name,
    String title,
    Optional<String> paper,
    Optional<String> standsInFor,
    Optional<String> note,
    DataSpec data,
    ModelSpec model,
    Schedule schedule,
    Map<String, String> groups,
    List<Method> methods,
    int seeds,
    long firstSeed,
    int latentItems,
    String yaml) {

  /** The factors that settings are grouped by, as in the paper's table. */
  public static final List<String> FACTORS =
      List.of("data", "architecture", "initialization", "budget");

  /** Keys of {@link #definingValues} that may hold a path; the same file may be elsewhere later. */
  public static final List<String> PATH_KEYS = List.of("data", DataSpec.BACKBONE, "checkpoint");

  /** The methods of the paper's tables. */
  public static final List<String> PAPER_METHODS =
      List.of("random", "entropy", "bald", "coreset", "gcnal", "cdal", "badge", "alfamix");

  public Setting {
    groups = new TreeMap<>(groups);
    methods = List.copyOf(methods);
  }

  /** Returns the setting with only its first rounds; a run can be extended later. */
  public Setting withRounds(int rounds) {
    if (rounds > schedule.rounds()) {
      throw new InvalidRequestException(
          "%s has %d rounds, fewer than the requested %d."
              .formatted(name, schedule.rounds(), rounds));
    }
    List<Integer> budgets = schedule.budgets().subList(0, rounds);
    Schedule shorter = new Schedule(schedule.initial(), schedule.perClass(), budgets);
    return with(data, shorter, methods, latentItems);
  }

  /** Returns the setting with other data, schedule, methods and number of items in its map. */
  public Setting with(
      DataSpec otherData, Schedule otherSchedule, List<Method> otherMethods, int otherItems) {
    return changed(title, note, otherData, otherSchedule, otherMethods, otherItems);
  }

  /** Returns the setting with another title and without a note. */
  public Setting withTitle(String otherTitle) {
    return changed(otherTitle, Optional.empty(), data, schedule, methods, latentItems);
  }

  /** Returns a changed setting, with a new YAML text. */
  private Setting changed(
      String newTitle,
      Optional<String> newNote,
      DataSpec newData,
      Schedule newSchedule,
      List<Method> newMethods,
      int newItems) {
    Function<String, Setting> of =
        text ->
            new Setting(
                name,
                newTitle,
                paper,
                standsInFor,
                newNote,
                newData,
                model,
                newSchedule,
                groups,
                newMethods,
                seeds,
                firstSeed,
                newItems,
                text);
    return of.apply(SettingWriter.yaml(of.apply("")));
  }

  /** Returns the seeds to run by default. */
  public List<Long> defaultSeeds() {
    return LongStream.range(firstSeed, firstSeed + seeds).boxed().toList();
  }

  /** Returns the methods to run by default. */
  public List<Method> defaultMethods() {
    return methods.isEmpty() ? PAPER_METHODS.stream().map(Method::parse).toList() : methods;
  }

  /**
   * Returns the values that results depend on, by key. Values that affect only tables and figures
   * are not included, nor is the number of rounds, because a run can be extended later.
   */
  public Map<String, String> definingValues() {
    Map<String, String> definingValues = new LinkedHashMap<>();
    definingValues.put("data", data.name());
    data.reading().forEach(definingValues::put);
    definingValues.put("standardize", String.valueOf(data.standardize()));
    definingValues.put(
        "classes", data.classes().isEmpty() ? "all" : String.join(", ", data.classes()));
    definingValues.put("pool", data.pool() == 0 ? "all" : String.valueOf(data.pool()));
    definingValues.put("network", model.network());
    definingValues.put("start", model.start().toString());
    model.checkpoint().ifPresent(checkpoint -> definingValues.put("checkpoint", checkpoint));
    if (!model.tuning().equals(Tuning.ALL)) {
      definingValues.put("tuning", model.tuning().toString());
    }
    ModelSpec.Training training = model.training();
    definingValues.put("optimizer", training.optimizer().toString());
    put(definingValues, "rate", training.rate());
    put(definingValues, "batch", training.batch());
    put(definingValues, "goal", training.goal().map(TrainingOptions::goalText));
    put(definingValues, "epochs", training.epochs());
    put(definingValues, "dropout", training.dropout());
    put(definingValues, "warm-up-epochs", training.warmUp());
    put(definingValues, "final-rate", training.finalRate());
    put(definingValues, "weight-decay", training.weightDecay());
    put(definingValues, "augment", training.augmentation());
    definingValues.put(
        schedule.perClass() ? "initial-per-class" : "initial", "" + schedule.initial());
    return definingValues;
  }

  private static void put(Map<String, String> map, String key, Optional<?> value) {
    value.ifPresent(found -> map.put(key, found.toString()));
  }
}
