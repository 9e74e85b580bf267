package org.alfamix.studio.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.alfamix.command.CommandRunner;
import org.alfamix.datasets.Dataset;
import org.alfamix.datasets.Datasets;
import org.alfamix.io.table.Csv;
import org.alfamix.studio.Studio;
import org.alfamix.studio.command.StudioCommand;
import org.alfamix.studio.store.Answer;
import org.alfamix.studio.store.LabelClass;
import org.alfamix.studio.store.Project;
import org.alfamix.studio.store.QueuedPick;
import org.alfamix.studio.web.LabelExport;
import org.alfamix.studio.web.Server;
import org.alfamix.testing.Browser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From a table of texts to the second batch in the browser: one command, and the server. */
@Tag("slow")
class TextBrowserTest {
  private static final List<String> CLASSES = List.of("card", "other");

  @TempDir private Path folder;

  private Path tickets() throws Exception {
    Dataset questions = Datasets.open("banking77", folder);
    StringBuilder table = new StringBuilder("id,body\n");
    for (int i = 0; i < 200; i++) {
      String text = questions.pool().inputs().text(i * 50) + "\n\nRegards,\nA <b>customer</b>";
      table.append("T-").append(i).append(',').append(Csv.quoted(text)).append('\n');
    }
    return Files.writeString(folder.resolve("tickets.csv"), table);
  }

  @Test
  void labelsTextsOfATableByKeyboard() throws Exception {
    assumeTrue(Browser.installed().isPresent(), "Chromium is not installed");
    Path home = folder.resolve("home");
    int code =
        CommandRunner.configure(new StudioCommand())
            .execute(
                "new",
                "tickets",
                "--texts=" + tickets(),
                "--classes=" + String.join(",", CLASSES),
                "--budget=4",
                "--test-every=0",
                "--home=" + home);
    assertEquals(0, code);
    try (Studio studio = new Studio(home, folder.resolve("data"), Clock.systemUTC());
        Server server = new Server(studio, "127.0.0.1", 0);
        Browser browser = new Browser(Files.createDirectories(folder.resolve("profile")))) {
      Project project = studio.project("tickets");
      awaitRounds(studio, project, 1);
      browser.open("http://127.0.0.1:" + server.port() + "/p/tickets");
      for (int i = 0; i < 4; i++) {
        String text = browser.evaluate("document.querySelector('#card .item').innerText");
        assertTrue(text.contains("\n\nRegards,\nA <b>customer</b>"), text);
        String item = browser.evaluate("document.querySelector('#card').dataset.item");
        int place = text.contains("card") ? 0 : 1;
        browser.press(
            browser.evaluate(
                "document.querySelectorAll('.answers [name=class]')[%d].dataset.key"
                    .formatted(place)));
        browser.await(
            "!document.body.hasAttribute('data-busy') &&"
                + " document.querySelector('#card').dataset.item !== '%s'".formatted(item));
        assertTrue(studio.store().ledger().label(project.id(), Integer.parseInt(item)).isPresent());
      }
      awaitRounds(studio, project, 2);
      browser.open("http://127.0.0.1:" + server.port() + "/p/tickets");
      browser.await("document.querySelector('#card .item .text[title]') !== null");
      assertTrue(
          browser
              .evaluate("document.querySelector('#card .item .text').title")
              .startsWith("The highlighted words speak for"));
      assertTrue(
          browser
              .evaluate("document.querySelector('#card .item').innerText")
              .contains("\n\nRegards,\nA <b>customer</b>"));
      ByteArrayOutputStream exported = new ByteArrayOutputStream();
      new LabelExport(studio, project).export(LabelExport.Format.CSV, exported);
      assertTrue(
          exported
              .toString(StandardCharsets.UTF_8)
              .matches(
                  "(?s)item,name,label,unclear,test,annotator,at,text\\n\\d+,T-\\d+,.*customer.*"),
          exported.toString(StandardCharsets.UTF_8));
    }
  }

  /** Writes the picture of the guide. */
  @Test
  void writesThePictureOfTheGuide() throws Exception {
    String into = System.getProperty("alfamix.pictures");
    assumeTrue(into != null, "no pictures were requested");
    assumeTrue(Browser.installed().isPresent(), "Chromium is not installed");
    Dataset questions =
        Datasets.open("banking77", folder)
            .withClasses(
                List.of("card_arrival", "exchange_rate", "lost_or_stolen_card", "pin_blocked"));
    StringBuilder table = new StringBuilder("id,text\n");
    for (int i = 0; i < questions.pool().size(); i++) {
      table.append("Q-%d,%s%n".formatted(i, Csv.quoted(questions.pool().inputs().text(i))));
    }
    Path home = folder.resolve("home");
    int code =
        CommandRunner.configure(new StudioCommand())
            .execute(
                "new",
                "questions",
                "--texts=" + Files.writeString(folder.resolve("questions.csv"), table),
                "--classes=" + String.join(",", questions.classNames()),
                "--budget=12",
                "--test-every=0",
                "--home=" + home);
    assertEquals(0, code);
    try (Studio studio = new Studio(home, folder.resolve("data"), Clock.systemUTC());
        Server server = new Server(studio, "127.0.0.1", 0);
        Browser browser = new Browser(Files.createDirectories(folder.resolve("profile")))) {
      Project project = studio.project("questions");
      List<LabelClass> classes = studio.store().projects().classes(project.id());
      for (int round = 1; round <= 2; round++) {
        awaitRounds(studio, project, round);
        for (QueuedPick pick : studio.picks(project).values()) {
          long id = classes.get(questions.pool().labels()[pick.item()]).id();
          studio.save(
              project, List.of(Answer.label(pick.item(), id, "ada", round + "-" + pick.item())));
        }
      }
      awaitRounds(studio, project, 3);
      browser.open("http://127.0.0.1:" + server.port() + "/p/questions");
      browser.await("document.querySelector('#card .item mark') !== null");
      browser.saveScreenshot(Path.of(into).resolve("text.png"));
    }
  }

  private static void awaitRounds(Studio studio, Project project, int count)
      throws InterruptedException {
    for (int i = 0; i < 1200; i++) {
      assertEquals("", studio.worker(project).state().failure());
      if (studio.store().rounds().all(project.id()).size() >= count) {
        return;
      }
      Thread.sleep(50);
    }
    throw new AssertionError("timed out waiting for batch " + count);
  }
}
