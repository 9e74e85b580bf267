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
 * One experiment: a data set, a network, how many labels there are in each round, and which methods
 * are compared.
 *
 * @param name what it is called by; folders of results have this name
 * @param title in words
 * @param paper its number in the paper, where it is one of the paper's
 * @param standsInFor the number of a setting of the paper that this one takes the place of, with
 *     data that can be had
 * @param note what else there is to say of it
 * @param groups what it counts as in tables, by factor: data, architecture, initialisation, budget
 * @param methods the methods it compares, unless others are asked for; empty for the paper's
 * @param seeds how often each is run, unless something else is asked for
 * @param firstSeed the first of those seeds
 * @param latentItems how many items its picture of the latent space shows; 0 for no picture
 * @param yaml the text it was read from
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

  /** What settings are grouped by, as in the paper's table. */
  public static final List<String> FACTORS =
      List.of("data", "architecture", "initialisation", "budget");

  /** Keys of {@link #essence} that may name a file, which the same thing may lie in elsewhere. */
  public static final List<String> PLACES = List.of("data", DataSpec.BACKBONE, "checkpoint");

  /** The methods of the paper's tables. */
  public static final List<String> PAPER_METHODS =
      List.of("random", "entropy", "bald", "coreset", "gcnal", "cdal", "badge", "alfamix");

  public Setting {
    groups = new TreeMap<>(groups);
    methods = List.copyOf(methods);
  }

  /** Its first rounds alone; a run may go on for longer later. */
  public Setting withRounds(int rounds) {
    if (rounds > schedule.rounds()) {
      throw new InvalidRequestException(
          "%s has %d rounds, fewer than %d.".formatted(name, schedule.rounds(), rounds));
    }
    List<Integer> budgets = schedule.budgets().subList(0, rounds);
    Schedule shorter = new Schedule(schedule.initial(), schedule.perClass(), budgets);
    return with(data, shorter, methods, latentItems);
  }

  /** The same with other data, labels, methods and items in its picture. */
  public Setting with(
      DataSpec otherData, Schedule otherSchedule, List<Method> otherMethods, int otherItems) {
    return changed(title, note, otherData, otherSchedule, otherMethods, otherItems);
  }

  /** The same under another title, without a note. */
  public Setting titled(String otherTitle) {
    return changed(otherTitle, Optional.empty(), data, schedule, methods, latentItems);
  }

  /** What was changed has another text, too: the one that its writer makes. */
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

  /** The seeds to run with where nobody asks for others. */
  public List<Long> usualSeeds() {
    return LongStream.range(firstSeed, firstSeed + seeds).boxed().toList();
  }

  /** The methods to run where nobody asks for others. */
  public List<Method> usualMethods() {
    return methods.isEmpty() ? PAPER_METHODS.stream().map(Method::parse).toList() : methods;
  }

  /**
   * What results depend on, by key, as texts; what only concerns tables and figures is not in it,
   * nor is the number of rounds, because a run may go on for longer later.
   */
  public Map<String, String> essence() {
    Map<String, String> essence = new LinkedHashMap<>();
    essence.put("data", data.name());
    data.reading().forEach(essence::put);
    essence.put("standardise", String.valueOf(data.standardise()));
    essence.put("classes", data.classes().isEmpty() ? "all" : String.join(", ", data.classes()));
    essence.put("pool", data.pool() == 0 ? "all" : String.valueOf(data.pool()));
    essence.put("network", model.network());
    essence.put("start", model.start().toString());
    model.checkpoint().ifPresent(checkpoint -> essence.put("checkpoint", checkpoint));
    if (!model.tuning().equals(Tuning.ALL)) {
      essence.put("tuning", model.tuning().toString());
    }
    ModelSpec.Training training = model.training();
    essence.put("optimiser", training.optimiser().toString());
    put(essence, "rate", training.rate());
    put(essence, "batch", training.batch());
    put(essence, "goal", training.goal().map(TrainingOptions::goalText));
    put(essence, "epochs", training.epochs());
    put(essence, "dropout", training.dropout());
    put(essence, "warm-up-epochs", training.warmUp());
    put(essence, "final-rate", training.finalRate());
    put(essence, "weight-decay", training.weightDecay());
    put(essence, "augment", training.augmentation());
    essence.put(schedule.perClass() ? "initial-per-class" : "initial", "" + schedule.initial());
    return essence;
  }

  private static void put(Map<String, String> map, String key, Optional<?> value) {
    value.ifPresent(found -> map.put(key, found.toString()));
  }
}
