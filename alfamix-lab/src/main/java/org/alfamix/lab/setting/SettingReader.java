package org.alfamix.lab.setting;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.alfamix.datasets.Datasets;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.alfamix.learn.Augmentation;
import org.alfamix.learn.Optimization;
import org.alfamix.learn.TrainingOptions;
import org.alfamix.learn.Tuning;
import org.alfamix.learn.embed.BackboneName;
import org.alfamix.learn.embed.TextFeatures;

/** Reads a setting from YAML. */
final class SettingReader {
  private static final List<String> READING =
      List.of(
          "label-column",
          "id-column",
          "ignore-columns",
          "text-column",
          "number-columns",
          "text-pooling",
          "text-normalize",
          "text-prefix",
          "max-tokens",
          "long-texts",
          "image-size",
          "clip-frames",
          "clip-stride",
          "frame-pooling",
          "source-pattern");
  private static final List<String> KEYS =
      Stream.of(
              List.of("title", "paper", "stands-in-for", "note", "data"),
              READING,
              List.of(
                  DataSpec.BACKBONE,
                  "standardize",
                  "classes",
                  "pool",
                  "network",
                  "start",
                  "checkpoint",
                  "tuning",
                  "training",
                  "initial",
                  "initial-per-class",
                  "budget",
                  "rounds",
                  "seeds",
                  "first-seed",
                  "groups",
                  "strategies",
                  "latent"))
          .flatMap(List::stream)
          .toList();
  private static final List<String> TRAINING_KEYS =
      List.of(
          "optimizer",
          "rate",
          "batch",
          "goal",
          "epochs",
          "dropout",
          "warm-up-epochs",
          "final-rate",
          "weight-decay",
          "augment");
  private static final int ROUNDS = 10;
  private static final int SEEDS = 5;
  private static final int MAX = 10_000;

  private final String file;
  private final Path folder;
  private final String text;
  private final YamlTree root;
  private final Map<String, YamlTree> fields;

  private SettingReader(String file, Path folder, String text) {
    this.file = file;
    this.folder = folder;
    this.text = text;
    this.root = YamlTree.parse(file, text);
    this.fields = root.fields(KEYS);
  }

  /** Returns all keys of a setting and of its training. */
  static List<String> allKeys() {
    return Stream.concat(KEYS.stream(), TRAINING_KEYS.stream()).toList();
  }

  /**
   * Reads a setting.
   *
   * @param file the name of the source in messages
   * @param folder the base folder of relative paths, or null
   */
  static Setting read(String name, String file, Path folder, String text) {
    if (!name.matches("[\\w.+-]+") || name.startsWith(".")) {
      throw new DataException(
          "%s: the name of a setting may contain letters, digits, '-', '_', '.' and '+'; found '%s'."
              .formatted(file, name));
    }
    return new SettingReader(file, folder, text).setting(name);
  }

  private Setting setting(String name) {
    for (String key : List.of("data", "network", "budget")) {
      if (!fields.containsKey(key)) {
        throw new DataException("%s: the key '%s' is missing.".formatted(file, key));
      }
    }
    YamlTree standsIn = fields.get("stands-in-for");
    if (standsIn != null && fields.containsKey("paper")) {
      throw standsIn.error(
          "'paper' and 'stands-in-for' are mutually exclusive; remove one of them.");
    }
    if (standsIn != null && !standsIn.line().matches("[1-9]|[12]\\d|30|V")) {
      throw standsIn.error(
          "stands-in-for is '%s', expected the number of a setting of the paper: 1 to 30 or V."
              .formatted(standsIn.line()));
    }
    return new Setting(
        name,
        optional("title", YamlTree::line).orElse(name),
        optional("paper", YamlTree::line),
        optional("stands-in-for", YamlTree::line),
        optional("note", YamlTree::line),
        data(),
        model(),
        schedule(),
        groups(),
        methods(),
        optional("seeds", seeds -> seeds.integer(1, MAX)).orElse(SEEDS),
        optional("first-seed", first -> first.integer(1, MAX)).orElse(1),
        optional("latent", latent -> latent.integer(0, MAX)).orElse(0),
        text);
  }

  private <T> Optional<T> optional(String key, Function<YamlTree, T> read) {
    return Optional.ofNullable(fields.get(key)).map(read);
  }

  private DataSpec data() {
    Map<String, String> reading = new TreeMap<>();
    optional(DataSpec.BACKBONE, this::backbone)
        .ifPresent(name -> reading.put(DataSpec.BACKBONE, name));
    for (String key : READING) {
      YamlTree value = fields.get(key);
      if (value != null) {
        reading.put(
            key,
            value.isList()
                ? String.join(",", value.list().stream().map(YamlTree::text).toList())
                : value.text());
      }
    }
    return new DataSpec(
        dataName(),
        reading,
        optional("standardize", YamlTree::flag).orElse(false),
        optional("classes", classes -> classes.nonEmptyList().stream().map(YamlTree::text).toList())
            .orElse(List.of()),
        optional("pool", pool -> pool.integer(1)).orElse(0));
  }

  /** Resolves weights that are not published as a path relative to the setting's file. */
  private String backbone(YamlTree value) {
    BackboneName name = BackboneName.parse(value.text());
    if (name.published().isPresent() || TextFeatures.isBuiltIn(name.weights()) || folder == null) {
      return name.toString();
    }
    Path path = path(name.weights());
    if (path == null || !Files.exists(path)) {
      throw value.error(
          "'%s' is neither the name of published weights nor a file or folder."
              .formatted(name.weights()));
    }
    return new BackboneName(name.network(), path.toString()).toString();
  }

  /** Resolves a path relative to the setting's file. */
  private String dataName() {
    String name = fields.get("data").text();
    if (Datasets.named(name).isPresent() || folder == null) {
      return name;
    }
    Path path = path(name);
    if (path == null || !Files.exists(path)) {
      throw fields
          .get("data")
          .error("'%s' is neither the name of a data set nor a file.".formatted(name));
    }
    return path.toString();
  }

  /** Returns the absolute path of a name; null if it is not a valid file name. */
  private Path path(String name) {
    try {
      return folder.resolve(name).toAbsolutePath().normalize();
    } catch (InvalidPathException e) {
      return null;
    }
  }

  private ModelSpec model() {
    ModelSpec.Start start =
        optional(
                "start",
                value -> value.oneOf(List.of("random", "fresh", "continue", "pre-trained")))
            .map(word -> ModelSpec.Start.valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_')))
            .orElse(ModelSpec.Start.RANDOM);
    Optional<String> checkpoint = optional("checkpoint", YamlTree::text);
    if (checkpoint.isPresent() != (start == ModelSpec.Start.PRE_TRAINED)) {
      throw root.error(
          "'start: pre-trained' requires 'checkpoint', and 'checkpoint' requires 'start:"
              + " pre-trained'.");
    }
    if (fields.containsKey("tuning") && start != ModelSpec.Start.PRE_TRAINED) {
      throw fields.get("tuning").error("'tuning' requires 'start: pre-trained'; remove it.");
    }
    Tuning tuning = optional("tuning", value -> parsed(value, Tuning::parse)).orElse(Tuning.ALL);
    ModelSpec model =
        new ModelSpec(fields.get("network").text(), start, checkpoint, tuning, training());
    return checkpoint.isEmpty() || model.published().isPresent() || folder == null
        ? model
        : new ModelSpec(
            model.network(), start, Optional.of(weightsFile()), tuning, model.training());
  }

  private static <T> T parsed(YamlTree value, Function<String, T> parse) {
    try {
      return parse.apply(value.text());
    } catch (InvalidRequestException e) {
      throw value.error(e.getMessage());
    }
  }

  /** Resolves a checkpoint that is not published as a path relative to the setting's file. */
  private String weightsFile() {
    YamlTree value = fields.get("checkpoint");
    Path path = path(value.text());
    if (path == null || !Files.exists(path)) {
      throw value.error(
          "'%s' is neither the name of published weights of %s nor a file."
              .formatted(value.text(), fields.get("network").text()));
    }
    return path.toString();
  }

  private ModelSpec.Training training() {
    YamlTree tree = fields.get("training");
    Map<String, YamlTree> given = tree == null ? Map.of() : tree.fields(TRAINING_KEYS);
    try {
      return new ModelSpec.Training(
          given.containsKey("optimizer")
              ? Optimization.Method.parse(given.get("optimizer").oneOf(List.of("adam", "adamw")))
              : Optimization.Method.ADAM,
          number(given, "rate"),
          integer(given, "batch"),
          goal(given),
          integer(given, "epochs"),
          number(given, "dropout"),
          integer(given, "warm-up-epochs"),
          positive(given, "final-rate"),
          number(given, "weight-decay"),
          Optional.ofNullable(given.get("augment"))
              .map(value -> parsed(value, Augmentation::parse)));
    } catch (InvalidRequestException e) {
      throw tree.error(e.getMessage());
    }
  }

  private static Optional<Double> number(Map<String, YamlTree> given, String key) {
    return Optional.ofNullable(given.get(key)).map(YamlTree::number);
  }

  private static Optional<Double> goal(Map<String, YamlTree> given) {
    return Optional.ofNullable(given.get("goal"))
        .map(goal -> goal.text().equals("none") ? TrainingOptions.NO_GOAL : goal.number());
  }

  private static Optional<Double> positive(Map<String, YamlTree> given, String key) {
    Optional<Double> value = number(given, key);
    if (value.isPresent() && !(value.get() > 0 && value.get() < Double.POSITIVE_INFINITY)) {
      throw given.get(key).unexpected("a positive number");
    }
    return value;
  }

  private static Optional<Integer> integer(Map<String, YamlTree> given, String key) {
    return Optional.ofNullable(given.get(key)).map(value -> value.integer(1));
  }

  private Schedule schedule() {
    boolean perClass = fields.containsKey("initial-per-class");
    if (perClass == fields.containsKey("initial")) {
      throw root.error("expected exactly one of 'initial' and 'initial-per-class'.");
    }
    int initial = fields.get(perClass ? "initial-per-class" : "initial").integer(1);
    YamlTree budget = fields.get("budget");
    List<Integer> budgets;
    if (budget.isList()) {
      budgets = budget.list().stream().map(value -> value.integer(1)).toList();
      if (budgets.isEmpty() || fields.containsKey("rounds")) {
        throw budget.error("expected a list with one budget per round, and no key 'rounds'.");
      }
    } else {
      int rounds = optional("rounds", value -> value.integer(1, MAX)).orElse(ROUNDS);
      budgets = Schedule.constant(initial, budget.integer(1), rounds).budgets();
    }
    return new Schedule(initial, perClass, budgets);
  }

  private Map<String, String> groups() {
    Map<String, String> groups = new LinkedHashMap<>();
    optional("groups", tree -> tree.fields(Setting.FACTORS))
        .orElse(Map.of())
        .forEach((factor, level) -> groups.put(factor, level.text()));
    return groups;
  }

  private List<Method> methods() {
    YamlTree tree = fields.get("strategies");
    List<Method> methods = new ArrayList<>();
    if (tree == null) {
      return methods;
    }
    for (YamlTree element : tree.nonEmptyList()) {
      Method method = method(element);
      if (methods.stream().anyMatch(other -> other.label().equals(method.label()))) {
        throw element.error("duplicate method '%s'.".formatted(method.label()));
      }
      methods.add(method);
    }
    return methods;
  }

  private static Method method(YamlTree element) {
    try {
      if (!element.isMapping()) {
        return Method.parse(element.text());
      }
      Map<String, YamlTree> fields = element.fields(List.of("name", "strategy", "options"));
      if (!fields.containsKey("strategy")) {
        throw element.error("the key 'strategy' is missing.");
      }
      String strategy = fields.get("strategy").text();
      Map<String, String> options = new LinkedHashMap<>();
      if (fields.containsKey("options")) {
        fields.get("options").fields().forEach((key, value) -> options.put(key, value.text()));
      }
      String label = fields.containsKey("name") ? fields.get("name").text() : strategy;
      return new Method(label, strategy, options);
    } catch (DataException e) {
      throw e;
    } catch (InvalidRequestException e) {
      throw element.error(e.getMessage());
    }
  }
}
