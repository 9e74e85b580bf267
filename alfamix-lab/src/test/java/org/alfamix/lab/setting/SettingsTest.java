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

  /** SVHN's digits are also there as they were cropped for this project, under the same numbers. */
  private static List<Setting> ofThePaper() {
    return all().stream()
        .filter(setting -> setting.paper().isPresent())
        .filter(setting -> !setting.data().name().equals("svhn-cropped"))
        .toList();
  }

  @Test
  void aNumberMeansThePublishersData() {
    assertEquals(List.of("svhn-resnet18"), names(Settings.find("11")));
    assertEquals(
        List.of("svhn-cropped-resnet18", "svhn-cropped-resnet18-large"),
        names(Settings.find("svhn-cropped-*")));
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
  void thePapersSettingsAreAllThereInItsGroups() {
    assertEquals(31, ofThePaper().size());
    assertEquals(Map.of("image", 28L, "OpenML", 2L), counts("data"));
    assertEquals(
        Map.of("MLP", 8L, "LeNet-5", 5L, "ResNet-18", 7L, "DenseNet-121", 7L, "ViT", 3L),
        counts("architecture"));
    assertEquals(
        Map.of("random", 18L, "pre-trained", 9L, "continue", 3L), counts("initialisation"));
    assertEquals(Map.of("small", 22L, "large", 8L), counts("budget"));
    assertEquals(
        285,
        ofThePaper().stream()
            .filter(setting -> !setting.groups().isEmpty())
            .mapToInt(setting -> setting.schedule().rounds())
            .sum());
  }

  /**
   * Number, initial labels and budget of every row of the list that the settings were made from.
   */
  @Test
  void theNumbersAreThoseOfThePapersTable() throws IOException {
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
      assertEquals(plain(row.get("data")), plain(setting.data().name()), number);
      assertEquals(plain(row.get("network")), plain(setting.model().baseNetwork()), number);
      assertEquals(
          setting.data().name().equals("domainnet-real") ? 5 : 10,
          setting.schedule().rounds(),
          number);
      assertEquals(5, setting.seeds(), number);
      compared++;
    }
    assertEquals(23, compared, "rows of the table that stand for one setting");
  }

  /** Names as the list and the files have them, made alike. */
  private static String plain(String name) {
    return name.toLowerCase(Locale.ROOT)
        .replaceAll("openml \\d+ \\((\\w+).*", "$1")
        .replace("-openml", "")
        .replace(" letters", "")
        .replace(", 1024", "")
        .replaceAll("[^a-z0-9]", "");
  }

  /** Rows that stand for several settings: as others, with another network. */
  @Test
  void theSettingsOfDenseNetAreThoseOfResNet() {
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
  void aSettingThatIsWrittenReadsAsItWas(Setting setting) {
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
        "budjet: 3 | line 6: there is no key 'budjet'; did you mean 'budget'?",
        "trainig: {rate: 1} | did you mean 'training'?",
        "training: {rat: 1} | line 6: there is no key 'rat'; did you mean 'rate'?",
        "training: {rate: fast} | line 6: rate is 'fast', expected a number.",
        "training: {rate: -1} | rate is -1.0, expected a positive number.",
        "stands-in-for: 31 | line 6: stands-in-for is '31', expected a number of the paper",
        "groups: {size: small} | there is no key 'size'",
        "seeds: 0 | seeds is '0', expected a whole number from 1 to 10000.",
        "pool: many | pool is 'many', expected a whole number of at least 1.",
        "start: warm | start is 'warm', expected one of random, fresh, continue, pre-trained.",
        "start: pre-trained | 'checkpoint' and 'start: pre-trained' belong together.",
        "tuning: frozen | line 6: only what is pre-trained is tuned; leave it out.",
        "backbone: none.onnx | line 6: 'none.onnx' is neither published weights",
        "training: {augment: turn} | line 6: augment is 'turn', expected crop, crop=PIXELS, flip",
        "strategies: [] | 'strategies' is an empty list; leave it out, or name some.",
        "training: {final-rate: .nan} | final-rate is '.nan', expected a number.",
        "strategies: alfamix | strategies is 'alfamix', expected a list.",
        "strategies: [alfamx] | strategy is 'alfamx', expected one of random",
        "strategies: [random, random] | there are two methods 'random'.",
        "strategies: [{strategy: alfamix, options: {pick: uniform}}] | alfamix has no option"
            + " 'pick'",
        "strategies: [{name: mine}] | the key 'strategy' is missing.",
        "network: lenet5 | 'network' is there twice.",
        "initial-per-class: 2 | expected one of 'initial' and 'initial-per-class'.",
        "standardise: perhaps | standardise is 'perhaps', expected true or false.",
        "title: [1, 2] | title is a list, expected a text.",
        "title: {a | this is no YAML",
        "seeds: 2000000000 | seeds is '2000000000', expected a whole number from 1 to 10000.",
        "pool: 1.5 | pool is '1.5', expected a whole number of at least 1.",
        "strategies: [{name: \"a\\n"
            + "b\", strategy: random}] | The name of a method has 1 to 100 letters"
      })
  void mistakesAreToldByFileAndLine(String line, String expected, @TempDir Path folder)
      throws IOException {
    Path file = folder.resolve("mine.yaml");
    Files.writeString(file, PLAIN + line + "\n");
    DataException mistake = assertThrows(DataException.class, () -> Settings.read(file));
    assertTrue(mistake.getMessage().contains(expected), mistake.getMessage());
    assertTrue(mistake.getMessage().startsWith(file + ", line "), mistake.getMessage());
    assertEquals(1, mistake.getMessage().lines().count(), mistake.getMessage());
  }

  @Test
  void whatIsMissingIsNamed(@TempDir Path folder) throws IOException {
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
            .contains("'nothing.csv' is neither a data set that has a name"));
  }

  @Test
  void weightsAndBackbonesAreFoundBesideTheSetting(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("mine.yaml");
    String start = PLAIN + "start: pre-trained\ntuning: last:2\ncheckpoint: ";
    Files.writeString(file, start + "mine.pth\n");
    String missing = assertThrows(DataException.class, () -> Settings.read(file)).getMessage();
    assertTrue(
        missing.endsWith("'mine.pth' is neither published weights of mlp nor a file there."),
        missing);
    Files.writeString(folder.resolve("mine.pth"), "");
    Setting tuned = Settings.read(file);
    assertEquals(folder.resolve("mine.pth").toString(), tuned.model().checkpoint().orElseThrow());
    assertEquals(Tuning.last(2), tuned.model().tuning());
    assertEquals("last:2", tuned.essence().get("tuning"));
    Files.writeString(file, PLAIN + "backbone: resnet18@mine.pth\n");
    assertEquals(
        "resnet18@" + folder.resolve("mine.pth"),
        Settings.read(file).data().reading().get("backbone"));
    Setting frozen = Settings.find("3").get(0);
    assertEquals("linear", frozen.model().learning());
    assertEquals("vit-small:blocks=4@vit-small-dino", frozen.model().backbone().toString());
  }

  @Test
  void dataOfOnesOwnAreFoundBesideTheSetting(@TempDir Path folder) throws IOException {
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
  void settingsAreFoundByNameNumberPatternAndFile() {
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
  void oddTextsSurviveBeingWritten() {
    Setting odd =
        SettingReader.read(
            "odd", "odd.yaml", null, PLAIN + "title: \"a\\x07 \\\"b\\\" \\\\ ü\\n\u2028 # :\"\n");
    Setting again = SettingReader.read("odd", "again.yaml", null, SettingWriter.yaml(odd));
    assertEquals(odd.title(), again.title());
    assertFalse(odd.title().chars().anyMatch(Character::isISOControl), "nothing rings a bell");
  }

  @Test
  void whatIsNestedTooDeeplyIsNoSetting(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("deep.yaml");
    Files.writeString(file, "title: " + "[".repeat(50_000));
    DataException refused = assertThrows(DataException.class, () -> Settings.read(file));
    assertEquals(1, refused.getMessage().lines().count(), refused.getMessage());
  }

  @Test
  void moreLabelsThanNumbersCanCountAreStillTooMany() {
    Schedule schedule = new Schedule(Integer.MAX_VALUE, true, List.of(Integer.MAX_VALUE));
    assertEquals(Integer.MAX_VALUE, schedule.labelsAt(1, 10));
  }

  @Test
  void budgetsMayDifferFromRoundToRound() {
    Schedule schedule = Settings.find("hmdb51-mvit").get(0).schedule();
    assertEquals(102, schedule.labelsAt(0, 51));
    assertEquals(204, schedule.labelsAt(1, 51));
    assertEquals(408, schedule.labelsAt(2, 51));
    assertEquals(765, schedule.labelsAt(3, 51));
    assertEquals(1530, schedule.labelsAt(4, 51));
  }

  @Test
  void aSettingSaysWhatItLacks(@TempDir Path folder) throws IOException {
    Optional<LearnerEngine> engine = Optional.of(LearnerEngine.find());
    assertEquals(
        "needs svhn from its publisher",
        Availability.of(Settings.find("16").get(0), engine, folder).toString());
    assertEquals(
        "needs vit-small-dino and cifar100 from their publishers",
        Availability.of(Settings.find("3").get(0), engine, folder).toString());
    assertEquals(
        "not yet: data hmdb51, to be put into " + folder.resolve("hmdb51") + " by hand",
        Availability.of(Settings.find("V").get(0), engine, folder).toString());
    assertEquals(
        "ready", Availability.of(Settings.find("letter-mlp").get(0), engine, folder).toString());
    assertEquals(
        "ready; fetches mnist first",
        Availability.of(Settings.find("mnist-mlp").get(0), engine, folder).toString());
    assertEquals(
        "not yet: data arabic-letters, to be put into "
            + folder.resolve("arabic-letters")
            + " by hand",
        Availability.of(Settings.find("arabic-mlp").get(0), engine, folder).toString());
    Path letters = Files.createDirectories(folder.resolve("emnist-a-to-l"));
    Files.createFile(letters.resolve("emnist-a-to-l-images-idx3-ubyte.gz"));
    assertEquals(
        "not yet: file emnist-a-to-l-labels-idx1-ubyte.gz of data emnist-a-to-l in " + letters,
        Availability.of(Settings.find("emnist-a-to-l-mlp").get(0), engine, folder).toString());
    assertEquals(
        "not yet: networks (the module alfamix-torch)",
        Availability.of(Settings.find("letter-mlp").get(0), Optional.empty(), folder).toString());
  }

  @Test
  void methodsHaveOptions() {
    Method method = Method.parse("alfamix:picks=uniform,grow=false");
    assertEquals("alfamix", method.strategy());
    assertEquals(Map.of("picks", "uniform", "grow", "false"), method.options());
    assertThrows(IllegalArgumentException.class, () -> Method.parse("alfamix:uniform"));
    assertThrows(IllegalArgumentException.class, () -> Method.parse("alfamix:picks=x"));
  }

  @Test
  void differentMethodsHaveDifferentFiles() {
    Method a = new Method("a b", "random", Map.of());
    Method b = new Method("a-b", "random", Map.of());
    Method c = new Method("a/b", "random", Map.of());
    assertEquals(3, List.of(a.fileName(), b.fileName(), c.fileName()).stream().distinct().count());
    Method d = new Method("x! y", "random", Map.of());
    Method e = new Method("x ?y", "random", Map.of());
    assertNotEquals(d.fileName(), e.fileName(), "they have the same hash code after mending");
    assertTrue(c.fileName().matches("[\\w.+=,-]+"), c.fileName());
  }
}
