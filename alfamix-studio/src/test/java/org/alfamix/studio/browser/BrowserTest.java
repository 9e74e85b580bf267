package org.alfamix.studio.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
 * Labels digits in a browser. {@code -Dalfamix.pictures=docs/guide/studio} writes the pictures of
 * the guide.
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
    assumeTrue(Browser.installed().isPresent(), "Chromium is not installed");
    studio = new Studio(folder.resolve("home"), Path.of(""), Clock.systemUTC());
    studio.create(
        "digits",
        new SourceSpec(SourceSpec.Kind.DATA, "digits", "", ""),
        ProjectOptions.DEFAULT,
        Datasets.open("digits", Path.of("")).classNames());
    project = studio.project("digits");
    server = new Server(studio, "127.0.0.1", 0);
    browser = new Browser(Files.createDirectories(folder.resolve("profile")));
    studio.worker(project);
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
      assertEquals("", studio.worker(project).state().failure());
      if (studio.store().rounds().all(project.id()).size() >= count
          && !studio.worker(project).state().busy()) {
        return;
      }
      Thread.sleep(50);
    }
    throw new AssertionError("timed out waiting for a batch");
  }

  private int item() {
    return Integer.parseInt(browser.evaluate("document.querySelector('#card').dataset.item"));
  }

  /** Answers with the key of the true class and waits for the next item. */
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

  /** Labels items until the next batch is available. */
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
      browser.saveScreenshot(Path.of(into).resolve(name + ".png"));
    }
  }

  /** Returns the number of points of the learning curve on the dashboard. */
  private int pointsOfTheCurve() {
    browser.open(address("/p/digits/dashboard"));
    return Integer.parseInt(browser.evaluate("document.querySelectorAll('.chart .dot').length"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1100, 390})
  void labelsTwoRoundsByKeyboardOnly(int width) throws Exception {
    boolean phone = width < 500;
    browser.resize(width, phone ? 844 : 800, phone);
    browser.open(address("/p/digits"));
    labelABatch();
    int before = pointsOfTheCurve();
    browser.open(address("/p/digits"));
    for (int i = 0; i < 3; i++) {
      answer();
    }
    // Undo, then answer again.
    int labels = labels();
    int shown = item();
    browser.press("Backspace");
    awaitOther(shown);
    assertEquals(labels - 1, labels(), "number of labels after undo");
    int again = item();
    List<Change> history = studio.store().ledger().history(project.id(), again);
    assertEquals(Change.Action.UNDO, history.get(history.size() - 1).action());
    answer();
    assertEquals(labels, labels());
    // Reload the page during a batch.
    int here = item();
    browser.open(address("/p/digits"));
    assertEquals(here, item(), "the item after reloading the page");
    assertEquals(labels, labels());
    labelABatch();
    List<TrainingRound> rounds = studio.store().rounds().all(project.id());
    assertEquals("alfamix", rounds.get(rounds.size() - 1).method());
    browser.open(address("/p/digits"));
    while (browser.evaluate("document.querySelector('details.reason')").equals("null")) {
      answer(); // one in five is a held-out item, which was not selected
    }
    String summary = browser.evaluate("document.querySelector('.reason summary').innerText");
    assertTrue(summary.matches("The model is unsure: \\d or \\d\\?"), summary);
    assertFalse(
        browser.evaluate("document.querySelector('.reason').innerText").contains("mixing ratio"));
    browser.evaluate("document.querySelector('.reason summary').click()");
    String details = browser.evaluate("document.querySelector('.reason').innerText");
    assertTrue(details.contains("flips to") && details.contains("mixing ratio"), details);
    browser.evaluate("document.querySelector('.reason summary').click()");
    assertTrue(
        Integer.parseInt(browser.evaluate("document.querySelectorAll('.near li').length")) > 0);
    if (!phone) {
      picture("label");
    }
    assertTrue(pointsOfTheCurve() > before, "the learning curve has more points");
    browser.await("document.querySelectorAll('.map circle').length > 500");
    if (!phone) {
      picture("dashboard");
    }
    assertEquals("", browser.evaluate("document.querySelector('#trouble').innerText"));
  }

  @Test
  void keysConfirmSkipAndOpenTheHelp() throws Exception {
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
  void answersSeveralItemsOfTheGrid() throws Exception {
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
    browser.await("document.querySelector('.status').innerText.startsWith('2 items')");
    assertEquals(labels + 2, labels());
    browser.press("Backspace");
    browser.await("document.querySelector('.status').innerText.includes('undone')");
    assertEquals(labels, labels(), "undo of both answers");
  }

  @Test
  void labelsOnAPhone() throws Exception {
    browser.resize(390, 844, true);
    browser.open(address("/p/digits"));
    labelABatch();
    browser.open(address("/p/digits"));
    assertEquals(
        "true",
        browser.evaluate("document.documentElement.scrollWidth <= 390"),
        "the page fits the width of the screen");
    assertEquals(
        "true",
        browser.evaluate(
            "[...document.querySelectorAll('.answers button')].every(b =>"
                + " b.getBoundingClientRect().height >= 40)"),
        "buttons are large enough for touch");
    int item = item();
    browser.evaluate("document.querySelector('[data-key=\"%d\"]').click()".formatted(truth[item]));
    awaitOther(item);
    assertTrue(studio.store().ledger().label(project.id(), item).isPresent());
    labelABatch();
    browser.setDarkMode(true);
    browser.open(address("/p/digits"));
    picture("phone");
    assertNotEquals(
        "rgb(255, 255, 255)",
        browser.evaluate("getComputedStyle(document.body).backgroundColor"),
        "the background in dark mode");
    for (String page : List.of("/grid", "/items", "/dashboard")) {
      browser.open(address("/p/digits" + page));
      assertEquals("true", browser.evaluate("document.documentElement.scrollWidth <= 390"), page);
    }
  }

  @Test
  void correctsALabelOnThePageOfTheItem() throws Exception {
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
