package org.alfamix.studio.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.alfamix.datasets.Datasets;
import org.alfamix.studio.Studio;
import org.alfamix.studio.engine.ProjectOptions;
import org.alfamix.studio.source.SourceSpec;
import org.alfamix.studio.store.Change;
import org.alfamix.studio.store.Project;
import org.alfamix.studio.store.TrainingRound;
import org.alfamix.studio.web.Server;
import org.alfamix.testing.Browser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A person at a browser. The pictures of the guide come from here: {@code
 * -Dalfamix.pictures=docs/studio} writes them.
 */
@Tag("slow")
class BrowserTest {
  private static final int BATCH = 20;

  @TempDir private Path folder;
  private final int[] truth = Datasets.open("digits", Path.of("")).pool().labels();
  private Studio studio;
  private Server server;
  private Browser browser;
  private Project project;

  @BeforeEach
  void open() throws Exception {
    assumeTrue(Browser.installed().isPresent(), "there is no Chromium on this machine");
    studio = new Studio(folder.resolve("home"), Path.of(""), Clock.systemUTC());
    studio.create(
        "digits",
        new SourceSpec(SourceSpec.Kind.DATA, "digits", "", ""),
        ProjectOptions.DEFAULT,
        Datasets.open("digits", Path.of("")).classNames());
    project = studio.project("digits");
    server = new Server(studio, "127.0.0.1", 0);
    browser = new Browser(Files.createDirectories(folder.resolve("profile")));
    studio.workshop(project);
    awaitRounds(1);
  }

  @AfterEach
  void close() {
    if (browser != null) {
      browser.close();
      server.close();
      studio.close();
    }
  }

  private String address(String path) {
    return "http://127.0.0.1:" + server.port() + path;
  }

  private void awaitRounds(int count) throws InterruptedException {
    for (int i = 0; i < 600; i++) {
      assertEquals("", studio.workshop(project).state().failure());
      if (studio.store().rounds().all(project.id()).size() >= count
          && !studio.workshop(project).state().busy()) {
        return;
      }
      Thread.sleep(50);
    }
    throw new AssertionError("a batch takes too long");
  }

  private int item() {
    return Integer.parseInt(browser.evaluate("document.querySelector('#card').dataset.item"));
  }

  /** Answers by the key of the true class and waits for the next item. */
  private void answer() {
    int item = item();
    browser.press(String.valueOf(truth[item]));
    awaitOther(item);
  }

  private void awaitOther(int item) {
    browser.await(
        "!document.body.hasAttribute('data-busy') &&"
            + " document.querySelector('#card').dataset.item !== '%d'".formatted(item));
  }

  private int labels() {
    return studio.store().ledger().countLabels(project.id());
  }

  /** Labels until the next batch is there. */
  private void labelABatch() throws InterruptedException {
    int rounds = studio.store().rounds().all(project.id()).size();
    for (int i = 0;
        i < 3 * BATCH && !studio.store().rounds().isDone(project.id(), rounds - 1);
        i++) {
      answer();
    }
    awaitRounds(rounds + 1);
  }

  private void picture(String name) {
    String into = System.getProperty("alfamix.pictures");
    if (into != null) {
      browser.picture(Path.of(into).resolve(name + ".png"));
    }
  }

  /** How many points the learning curve on the dashboard has. */
  private int pointsOfTheCurve() {
    browser.open(address("/p/digits/dashboard"));
    return Integer.parseInt(browser.evaluate("document.querySelectorAll('.chart .dot').length"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1100, 390})
  void twoRoundsByKeyboardAlone(int width) throws Exception {
    boolean phone = width < 500;
    browser.resize(width, phone ? 844 : 800, phone);
    browser.open(address("/p/digits"));
    labelABatch();
    int before = pointsOfTheCurve();
    browser.open(address("/p/digits"));
    for (int i = 0; i < 3; i++) {
      answer();
    }
    // Back, and once more.
    int labels = labels();
    int shown = item();
    browser.press("Backspace");
    awaitOther(shown);
    assertEquals(labels - 1, labels(), "it was taken back");
    int again = item();
    List<Change> history = studio.store().ledger().history(project.id(), again);
    assertEquals(Change.Action.UNDO, history.get(history.size() - 1).action());
    answer();
    assertEquals(labels, labels());
    // In the middle of it, the page is loaded anew.
    int here = item();
    browser.open(address("/p/digits"));
    assertEquals(here, item(), "it goes on with the same item");
    assertEquals(labels, labels());
    labelABatch();
    List<TrainingRound> rounds = studio.store().rounds().all(project.id());
    assertEquals("alfamix", rounds.get(rounds.size() - 1).method());
    browser.open(address("/p/digits"));
    while (!browser.evaluate("document.querySelector('.reason').innerText").startsWith("Why")) {
      answer(); // one in five tests the model, and was not chosen
    }
    assertTrue(
        Integer.parseInt(browser.evaluate("document.querySelectorAll('.near li').length")) > 0);
    if (!phone) {
      picture("label");
    }
    assertTrue(pointsOfTheCurve() > before, "the learning curve has grown");
    browser.await("document.querySelectorAll('.map circle').length > 500");
    if (!phone) {
      picture("dashboard");
    }
    assertEquals("", browser.evaluate("document.querySelector('#trouble').innerText"));
  }

  @Test
  void enterConfirmsSpaceSkipsAndTheQuestionMarkHelps() throws Exception {
    browser.resize(1100, 800, false);
    browser.open(address("/p/digits"));
    labelABatch();
    browser.open(address("/p/digits"));
    while (browser.evaluate("!!document.querySelector('[data-confirm]')").equals("false")) {
      answer();
    }
    int item = item();
    String predicted = browser.evaluate("document.querySelector('[data-confirm]').value");
    browser.press("Enter");
    awaitOther(item);
    assertEquals(
        predicted,
        String.valueOf(
            studio.store().ledger().label(project.id(), item).orElseThrow().classId().getAsLong()));
    int skipped = item();
    browser.press(" ");
    awaitOther(skipped);
    assertTrue(studio.store().ledger().label(project.id(), skipped).isEmpty());
    int unclear = item();
    browser.press("-");
    awaitOther(unclear);
    assertTrue(
        studio.store().ledger().label(project.id(), unclear).orElseThrow().classId().isEmpty());
    browser.press("?");
    browser.await("document.querySelector('#help').open");
    browser.press("Enter");
    browser.await("!document.querySelector('#help').open");
  }

  @Test
  void severalAtOnceInTheGrid() throws Exception {
    browser.resize(1100, 800, false);
    browser.open(address("/p/digits"));
    labelABatch();
    browser.open(address("/p/digits/grid"));
    int labels = labels();
    browser.press("ArrowRight");
    browser.press(" ");
    browser.press("ArrowRight");
    browser.press("ArrowRight");
    browser.press(" ");
    assertEquals("2", browser.evaluate("document.querySelectorAll('.cell input:checked').length"));
    picture("grid");
    browser.press("3");
    browser.await("document.querySelector('.said').innerText.startsWith('2 items')");
    assertEquals(labels + 2, labels());
    browser.press("Backspace");
    browser.await("document.querySelector('.said').innerText.includes('undone')");
    assertEquals(labels, labels(), "both at once");
  }

  @Test
  void onAPhone() throws Exception {
    browser.resize(390, 844, true);
    browser.open(address("/p/digits"));
    labelABatch();
    browser.open(address("/p/digits"));
    assertEquals(
        "true",
        browser.evaluate("document.documentElement.scrollWidth <= 390"),
        "nothing is wider than the screen");
    assertEquals(
        "true",
        browser.evaluate(
            "[...document.querySelectorAll('.answers button')].every(b =>"
                + " b.getBoundingClientRect().height >= 40)"),
        "buttons for thumbs");
    int item = item();
    browser.evaluate("document.querySelector('[data-key=\"%d\"]').click()".formatted(truth[item]));
    awaitOther(item);
    assertTrue(studio.store().ledger().label(project.id(), item).isPresent());
    labelABatch();
    browser.dark(true);
    browser.open(address("/p/digits"));
    picture("phone");
    assertNotEquals(
        "rgb(255, 255, 255)",
        browser.evaluate("getComputedStyle(document.body).backgroundColor"),
        "dark where it is wished for");
    for (String page : List.of("/grid", "/items", "/dashboard")) {
      browser.open(address("/p/digits" + page));
      assertEquals("true", browser.evaluate("document.documentElement.scrollWidth <= 390"), page);
    }
  }

  @Test
  void aMistakeIsMendedOnThePageOfTheItem() throws Exception {
    browser.resize(1100, 800, false);
    browser.open(address("/p/digits"));
    int item = item();
    answer();
    browser.open(address("/p/digits/items/" + item));
    int other = (truth[item] + 1) % 10;
    browser.press(String.valueOf(other));
    browser.await("document.querySelectorAll('.history tr').length === 3");
    assertTrue(
        browser.evaluate("document.body.innerText").contains("Labelled as: " + other),
        browser.evaluate("document.body.innerText"));
    picture("item");
  }
}
