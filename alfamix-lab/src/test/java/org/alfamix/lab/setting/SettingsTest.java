package org.alfamix.lab.setting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.alfamix.io.DataException;
import org.alfamix.learn.LearnerEngine;
import org.alfamix.learn.Tuning;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class SettingsTest {
  private static final String PLAIN =
      "data: digits\nnetwork: mlp\ninitial: 20\nbudget: 20\nrounds: 3\n";

  static List<Setting> all() {
    return Settings.all();
  }

  /** Returns the paper's settings without duplicates that use the digits of SVHN cropped here. */
  private static List<Setting> ofThePaper() {
    return all().stream()
        .filter(setting -> setting.paper().isPresent())
        .filter(setting -> !setting.data().name().equals("svhn-cropped"))
        .toList();
  }

  @Test
  void resolvesANumberToThePublishersData() {
    assertEquals(List.of("svhn-resnet18"), names(Settings.find("11")));
    assertEquals(
        List.of("svhn-cropped-resnet18", "svhn-cropped-resnet18-large"),
        names(Settings.find("svhn-cropped-*")));
  }

  @Test
  void acceptsFormerSpellingsOfKeys() {
    String training = "training: {optimizer: adamw, rate: 0.01}\n";
    String groups = "groups: {initialization: random}\n";
    Setting current =
        SettingReader.read("x", "x.yaml", null, PLAIN + "standardize: true\n" + training + groups);
    Setting former =
        SettingReader.read(
            "x",
            "x.yaml",
            null,
            PLAIN
                + "standardise: true\n"
                + training.replace("optimizer", "optimiser")
                + groups.replace("initialization", "initialisation"));
    assertEquals(current.definingValues(), former.definingValues());
    assertEquals(current.groups(), former.groups());
    assertTrue(former.data().standardize());
    DataException twice =
        assertThrows(
            DataException.class,
            () ->
                SettingReader.read(
                    "x", "x.yaml", null, PLAIN + "standardise: true\nstandardize: true\n"));
    assertTrue(twice.getMessage().contains("duplicate key 'standardize'"), twice.getMessage());
  }

  private static List<String> names(List<Setting> settings) {
    return settings.stream().map(Setting::name).toList();
  }

  private static Map<String, Long> counts(String factor) {
    return ofThePaper().stream()
        .filter(setting -> !setting.groups().isEmpty())
        .map(setting -> setting.groups().get(factor))
        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
  }

  @Test
  void hasAllSettingsAndGroupsOfThePaper() {
    assertEquals(31, ofThePaper().size());
    assertEquals(Map.of("image", 28L, "OpenML", 2L), counts("data"));
    assertEquals(
        Map.of("MLP", 8L, "LeNet-5", 5L, "ResNet-18", 7L, "DenseNet-121", 7L, "ViT", 3L),
        counts("architecture"));
    assertEquals(
        Map.of("random", 18L, "pre-trained", 9L, "continue", 3L), counts("initialization"));
    assertEquals(Map.of("small", 22L, "large", 8L), counts("budget"));
    assertEquals(
        285,
        ofThePaper().stream()
            .filter(setting -> !setting.groups().isEmpty())
            .mapToInt(setting -> setting.schedule().rounds())
            .sum());
  }

  /** Compares number, initial labels and budget with the table that the settings come from. */
  @Test
  void settingsMatchTheTableOfThePaper() throws IOException {
    int compared = 0;
    Map<String, Setting> byNumber = new HashMap<>();
    ofThePaper().forEach(setting -> byNumber.put(setting.paper().orElseThrow(), setting));
    for (Map<String, String> row : PaperTables.read("settings.csv")) {
      Setting setting = byNumber.get(row.get("number"));
      String number = setting.paper().orElseThrow();
      assertEquals(row.get("initial"), String.valueOf(setting.schedule().initial()), number);
      assertEquals(
          row.get("per round"), String.valueOf(setting.schedule().budgets().get(0)), number);
      assertEquals(row.get("budget"), setting.groups().get("budget"), number);
      assertTrue(row.get("start").startsWith(setting.model().start().toString()), number);
      assertEquals(normalized(row.get("data")), normalized(setting.data().name()), number);
      assertEquals(
          normalized(row.get("network")), normalized(setting.model().baseNetwork()), number);
      assertEquals(
          setting.data().name().equals("domainnet-real") ? 5 : 10,
          setting.schedule().rounds(),
          number);
      assertEquals(5, setting.seeds(), number);
      compared++;
    }
    assertEquals(23, compared, "rows of the table that describe a single setting");
  }

  /** Normalizes names of the table and of settings. */
  private static String normalized(String name) {
    return name.toLowerCase(Locale.ROOT)
        .replaceAll("openml \\d+ \\((\\w+).*", "$1")
        .replace("-openml", "")
        .replace(" letters", "")
        .replace(", 1024", "")
        .replaceAll("[^a-z0-9]", "");
  }

  /** Rows of the table with several settings: like other rows, with another network. */
  @Test
  void densenetSettingsMatchThoseOfResNet() {
    for (Setting setting : ofThePaper()) {
      if (setting.model().network().equals("densenet121")) {
        Setting other = Settings.find(setting.name().replace("densenet121", "resnet18")).get(0);
        int number = Integer.parseInt(setting.paper().orElseThrow());
        int others = Integer.parseInt(other.paper().orElseThrow());
        assertEquals(number < 21 ? 5 : 2, number - others, setting.name());
        assertEquals(other.schedule(), setting.schedule());
        assertEquals(other.data(), setting.data());
        assertEquals(other.model().checkpoint(), setting.model().checkpoint());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void readsWhatItWrites(Setting setting) {
    String text = SettingWriter.yaml(setting);
    Setting again = SettingReader.read(setting.name(), "again.yaml", null, text);
    assertEquals(
        new Setting(
            again.name(),
            again.title(),
            again.paper(),
            again.standsInFor(),
            again.note(),
            again.data(),
            again.model(),
            again.schedule(),
            again.groups(),
            again.methods(),
            again.seeds(),
            again.firstSeed(),
            again.latentItems(),
            setting.yaml()),
        setting);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "budjet: 3 | line 6: unknown key 'budjet'; did you mean 'budget'?",
        "trainig: {rate: 1} | did you mean 'training'?",
        "training: {rat: 1} | line 6: unknown key 'rat'; did you mean 'rate'?",
        "training: {rate: fast} | line 6: rate is 'fast', expected a number.",
        "training: {rate: -1} | rate is -1.0, expected a positive number.",
        "stands-in-for: 31 | line 6: stands-in-for is '31', expected the number of a setting",
        "groups: {size: small} | unknown key 'size'",
        "seeds: 0 | seeds is '0', expected an integer from 1 to 10000.",
        "pool: many | pool is 'many', expected an integer of at least 1.",
        "start: warm | start is 'warm', expected one of random, fresh, continue, pre-trained.",
        "start: pre-trained | 'start: pre-trained' requires 'checkpoint', and 'checkpoint' requires"
            + " 'start: pre-trained'.",
        "tuning: frozen | line 6: 'tuning' requires 'start: pre-trained'; remove it.",
        "backbone: none.onnx | line 6: 'none.onnx' is neither the name of published weights",
        "training: {augment: turn} | line 6: augment is 'turn', expected crop, crop=PIXELS and"
            + " flip",
        "strategies: [] | 'strategies' is an empty list; add an element, or remove the key.",
        "training: {final-rate: .nan} | final-rate is '.nan', expected a number.",
        "strategies: alfamix | strategies is 'alfamix', expected a list.",
        "strategies: [alfamx] | strategy is 'alfamx', expected one of random",
        "strategies: [random, random] | duplicate method 'random'.",
        "strategies: [{strategy: alfamix, options: {pick: uniform}}] | Strategy 'alfamix' has no"
            + " option 'pick'",
        "strategies: [{name: mine}] | the key 'strategy' is missing.",
        "network: lenet5 | duplicate key 'network'.",
        "initial-per-class: 2 | expected exactly one of 'initial' and 'initial-per-class'.",
        "standardize: perhaps | standardize is 'perhaps', expected true or false.",
        "title: [1, 2] | title is a list, expected text.",
        "title: {a | invalid YAML",
        "seeds: 2000000000 | seeds is '2000000000', expected an integer from 1 to 10000.",
        "pool: 1.5 | pool is '1.5', expected an integer of at least 1.",
        "strategies: [{name: \"a\\n"
            + "b\", strategy: random}] | The name of a method must have 1 to 100 characters"
      })
  void reportsErrorsWithFileAndLine(String line, String expected, @TempDir Path folder)
      throws IOException {
    Path file = folder.resolve("mine.yaml");
    Files.writeString(file, PLAIN + line + "\n");
    DataException error = assertThrows(DataException.class, () -> Settings.read(file));
    assertTrue(error.getMessage().contains(expected), error.getMessage());
    assertTrue(error.getMessage().startsWith(file + ", line "), error.getMessage());
    assertEquals(1, error.getMessage().lines().count(), error.getMessage());
  }

  @Test
  void namesMissingKeysAndFiles(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("mine.yaml");
    Files.writeString(file, "data: digits\n");
    assertTrue(
        assertThrows(DataException.class, () -> Settings.read(file))
            .getMessage()
            .endsWith("the key 'network' is missing."));
    Files.writeString(file, PLAIN.replace("digits", "nothing.csv"));
    assertTrue(
        assertThrows(DataException.class, () -> Settings.read(file))
            .getMessage()
            .contains("'nothing.csv' is neither the name of a data set"));
  }

  @Test
  void resolvesWeightsAndBackbonesRelativeToTheSetting(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("mine.yaml");
    String start = PLAIN + "start: pre-trained\ntuning: last:2\ncheckpoint: ";
    Files.writeString(file, start + "mine.pth\n");
    String missing = assertThrows(DataException.class, () -> Settings.read(file)).getMessage();
    assertTrue(
        missing.endsWith("'mine.pth' is neither the name of published weights of mlp nor a file."),
        missing);
    Files.writeString(folder.resolve("mine.pth"), "");
    Setting tuned = Settings.read(file);
    assertEquals(folder.resolve("mine.pth").toString(), tuned.model().checkpoint().orElseThrow());
    assertEquals(Tuning.last(2), tuned.model().tuning());
    assertEquals("last:2", tuned.definingValues().get("tuning"));
    Files.writeString(file, PLAIN + "backbone: resnet18@mine.pth\n");
    assertEquals(
        "resnet18@" + folder.resolve("mine.pth"),
        Settings.read(file).data().reading().get("backbone"));
    Setting frozen = Settings.find("3").get(0);
    assertEquals("linear", frozen.model().trainedNetwork());
    assertEquals("vit-small:blocks=4@vit-small-dino", frozen.model().backbone().toString());
  }

  @Test
  void resolvesDataRelativeToTheSetting(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("flowers.csv"), "a,b\n");
    Path file = folder.resolve("mine.yaml");
    Files.writeString(
        file,
        PLAIN.replace("digits", "flowers.csv") + "label-column: species\nignore-columns: [a, b]\n");
    Setting setting = Settings.read(file);
    assertEquals(folder.resolve("flowers.csv").toString(), setting.data().name());
    assertEquals(
        Map.of("label-column", "species", "ignore-columns", "a,b"), setting.data().reading());
    assertEquals("mine", setting.name());
  }

  @Test
  void findsSettingsByNameNumberAndPattern() {
    assertEquals("mnist-mlp", Settings.find("4").get(0).name());
    assertEquals("hmdb51-mvit", Settings.find("V").get(0).name());
    assertEquals(6, Settings.find("mnist-*").size());
    assertEquals(5, Settings.find("ablation-*").size());
    assertTrue(
        assertThrows(DataException.class, () -> Settings.find("mnist-mpl"))
            .getMessage()
            .contains("did you mean 'mnist-mlp'?"));
  }

  @Test
  void preservesSpecialCharactersInTexts() {
    Setting special =
        SettingReader.read(
            "odd", "odd.yaml", null, PLAIN + "title: \"a\\x07 \\\"b\\\" \\\\ ü\\n\u2028 # :\"\n");
    Setting again = SettingReader.read("odd", "again.yaml", null, SettingWriter.yaml(special));
    assertEquals(special.title(), again.title());
    assertFalse(special.title().chars().anyMatch(Character::isISOControl), "no control characters");
  }

  @Test
  void rejectsDeeplyNestedYaml(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("deep.yaml");
    Files.writeString(file, "title: " + "[".repeat(50_000));
    DataException error = assertThrows(DataException.class, () -> Settings.read(file));
    assertEquals(1, error.getMessage().lines().count(), error.getMessage());
  }

  @Test
  void capsTheNumberOfLabelsOnOverflow() {
    Schedule schedule = new Schedule(Integer.MAX_VALUE, true, List.of(Integer.MAX_VALUE));
    assertEquals(Integer.MAX_VALUE, schedule.labelsAt(1, 10));
  }

  @Test
  void supportsADifferentBudgetPerRound() {
    Schedule schedule = Settings.find("hmdb51-mvit").get(0).schedule();
    assertEquals(102, schedule.labelsAt(0, 51));
    assertEquals(204, schedule.labelsAt(1, 51));
    assertEquals(408, schedule.labelsAt(2, 51));
    assertEquals(765, schedule.labelsAt(3, 51));
    assertEquals(1530, schedule.labelsAt(4, 51));
  }

  @Test
  void theReferenceDescribesEveryKey() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "reference", "settings.md"));
    for (String key : SettingReader.allKeys()) {
      assertTrue(page.contains("| `" + key + "` |"), key);
    }
  }

  @Test
  void reportsMissingRequirements(@TempDir Path folder) throws IOException {
    Optional<LearnerEngine> engine = Optional.of(LearnerEngine.find());
    assertEquals("needs svhn from its publisher", available("16", engine, false, folder));
    assertEquals(
        "needs vit-small-dino and cifar100 from their publishers",
        available("3", engine, false, folder));
    assertEquals(
        "not available: data hmdb51 (put the files into " + folder.resolve("hmdb51") + ")",
        available("V", engine, false, folder));
    assertEquals("ready", available("letter-mlp", engine, false, folder));
    assertEquals("ready; downloads mnist first", available("mnist-mlp", engine, false, folder));
    assertEquals(
        "not available: data arabic-letters (put the files into "
            + folder.resolve("arabic-letters")
            + ")",
        available("arabic-mlp", engine, false, folder));
    Path letters = Files.createDirectories(folder.resolve("emnist-a-to-l"));
    Files.createFile(letters.resolve("emnist-a-to-l-images-idx3-ubyte.gz"));
    assertEquals(
        "not available: file emnist-a-to-l-labels-idx1-ubyte.gz of data emnist-a-to-l in "
            + letters,
        available("emnist-a-to-l-mlp", engine, false, folder));
    assertEquals(
        "not available: networks (module alfamix-torch)",
        available("letter-mlp", Optional.empty(), false, folder));
    assertEquals("ready", available("letter-mlp", Optional.empty(), true, folder));
  }

  private static String available(
      String setting, Optional<LearnerEngine> engine, boolean onDemand, Path folder) {
    return Availability.of(Settings.find(setting).get(0), engine, onDemand, folder).toString();
  }

  @Test
  void parsesOptionsOfMethods() {
    Method method = Method.parse("alfamix:picks=uniform,grow=false");
    assertEquals("alfamix", method.strategy());
    assertEquals(Map.of("picks", "uniform", "grow", "false"), method.options());
    assertThrows(IllegalArgumentException.class, () -> Method.parse("alfamix:uniform"));
    assertThrows(IllegalArgumentException.class, () -> Method.parse("alfamix:picks=x"));
  }

  @Test
  void mapsDifferentLabelsToDifferentFiles() {
    Method a = new Method("a b", "random", Map.of());
    Method b = new Method("a-b", "random", Map.of());
    Method c = new Method("a/b", "random", Map.of());
    assertEquals(3, List.of(a.fileName(), b.fileName(), c.fileName()).stream().distinct().count());
    Method d = new Method("x! y", "random", Map.of());
    Method e = new Method("x ?y", "random", Map.of());
    assertNotEquals(d.fileName(), e.fileName(), "labels that differ only in replaced characters");
    assertTrue(c.fileName().matches("[\\w.+=,-]+"), c.fileName());
  }
}
