package org.alfamix.studio.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.awt.Color;
import java.awt.GradientPaint;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.alfamix.datasets.video.VideoEngine;
import org.alfamix.studio.Studio;
import org.alfamix.studio.engine.ProjectOptions;
import org.alfamix.studio.source.SourceSpec;
import org.alfamix.studio.store.Project;
import org.alfamix.studio.web.Server;
import org.alfamix.testing.Browser;
import org.alfamix.video.TinyVideos;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Labels clips in a browser. {@code -Dalfamix.pictures=docs/guide/studio} writes the pictures of
 * the guide.
 */
@Tag("slow")
class ClipBrowserTest {
  private static final List<String> CLASSES = List.of("blue", "red");

  @TempDir private Path folder;
  private Studio studio;
  private Server server;
  private Browser browser;
  private Project project;

  private void open(List<String> classes) throws Exception {
    assumeTrue(Browser.installed().isPresent(), "Chromium is not installed");
    studio = new Studio(folder.resolve("home"), folder.resolve("data"), Clock.systemUTC());
    studio.create(
        "clips",
        new SourceSpec(SourceSpec.Kind.VIDEOS, folder.resolve("clips").toString(), "", ""),
        new ProjectOptions(ProjectOptions.AUTO, "alfamix", 4, 0, 0, 10, 1),
        classes);
    project = studio.project("clips");
    server = new Server(studio, "127.0.0.1", 0);
    browser = new Browser(Files.createDirectories(folder.resolve("profile")));
    browser.resize(1100, 800, false);
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

  private void awaitRounds(int count) throws InterruptedException {
    for (int i = 0; i < 1200; i++) {
      assertEquals("", studio.worker(project).state().failure());
      if (studio.store().rounds().all(project.id()).size() >= count
          && !studio.worker(project).state().busy()) {
        return;
      }
      Thread.sleep(50);
    }
    throw new AssertionError("timed out waiting for a batch");
  }

  private String address(String path) {
    return "http://127.0.0.1:" + server.port() + path;
  }

  private int item() {
    return Integer.parseInt(browser.evaluate("document.querySelector('#card').dataset.item"));
  }

  private String name(int item) {
    return studio.store().projects().allItems(project.id()).get(item).name();
  }

  /** Waits until the visible clip has played some frames. */
  private void awaitPlaying() {
    browser.await("document.querySelector('#card .item video').currentTime > 0.05");
    assertEquals(
        "true,true,false",
        browser.evaluate(
            "(v => [v.muted, v.loop, v.paused].join())"
                + "(document.querySelector('#card .item video'))"));
  }

  /** Answers with the key of a class, counted from 0, and waits for the next clip. */
  private void answer(int item, int place) {
    browser.press(
        browser.evaluate(
            "document.querySelectorAll('.answers [name=class]')[%d].dataset.key".formatted(place)));
    browser.await(
        "!document.body.hasAttribute('data-busy') &&"
            + " document.querySelector('#card').dataset.item !== '%d'".formatted(item));
  }

  private void writeClips() throws IOException {
    for (int i = 0; i < 16; i++) {
      boolean red = i % 2 == 0;
      Color colour = red ? new Color(150 + 4 * i, 0, 0) : new Color(0, 0, 150 + 4 * i);
      String name = "%s-%d.avi".formatted(red ? "red" : "blue", i);
      Path avi = TinyVideos.avi(folder.resolve("clips").resolve(name), 96, 72, 20, colour);
      if (i >= 8) {
        // Half of them in a format that browsers play; the others must be converted.
        VideoEngine.find().convertToWebm(avi, avi.resolveSibling(name.replace(".avi", ".webm")));
        Files.delete(avi);
      }
    }
  }

  @Test
  void labelsClipsByKeyboard() throws Exception {
    writeClips();
    open(CLASSES);
    browser.open(address("/p/clips"));
    List<String> endings = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      int item = item();
      awaitPlaying();
      endings.add(name(item).replaceAll(".*\\.", ""));
      answer(item, name(item).startsWith("red") ? 1 : 0);
      assertTrue(studio.store().ledger().label(project.id(), item).isPresent());
    }
    assertTrue(endings.contains("avi") && endings.contains("webm"), endings.toString());
    int here = item();
    browser.press("Backspace");
    browser.await("document.querySelector('#card').dataset.item !== '%d'".formatted(here));
    assertEquals(7, studio.store().ledger().countLabels(project.id()));
    browser.open(address("/p/clips/grid"));
    browser.await(
        "[...document.querySelectorAll('.cell img')].length > 0 &&"
            + " [...document.querySelectorAll('.cell img')].every(i => i.naturalWidth > 0)");
    assertEquals("0", browser.evaluate("document.querySelectorAll('video').length"));
    browser.open(address("/p/clips/items/0"));
    awaitPlaying();
    assertEquals("", browser.evaluate("document.querySelector('#trouble').innerText"));
  }

  /** Video players request ranges of a file and seek in it. */
  @Test
  void sendsRangesOfClips() throws Exception {
    writeClips();
    open(CLASSES);
    browser.open(address("/p/clips"));
    assertEquals("206 video/webm bytes 10-19/N 10", requestRange("bytes=10-19"));
    assertEquals(
        "416 video/webm bytes */N 0", requestRange("bytes=99999999-"), "the status beyond the end");
  }

  /**
   * Returns a description of the response to a range request; N stands for the size of the file.
   */
  private String requestRange(String range) {
    return browser.evaluate(
        "(() => { const r = new XMLHttpRequest();"
            + " r.open('GET', document.querySelector('#card video').src, false);"
            + " r.overrideMimeType('text/plain; charset=x-user-defined');"
            + " r.setRequestHeader('Range', '%s'); r.send();".formatted(range)
            + " return [r.status, r.getResponseHeader('Content-Type'),"
            + " r.getResponseHeader('Content-Range').replace(/[0-9]+$/, 'N'),"
            + " r.responseText.length].join(' '); })()");
  }

  /** Paints a coloured shape that falls, rises, turns or rolls. */
  private static void paint(Graphics2D graphics, String motion, int clip, int frame) {
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.setPaint(
        new GradientPaint(
            0, 0, Color.getHSBColor(clip / 17f, 0.35f, 0.95f), 0, 240, Color.DARK_GRAY));
    graphics.fillRect(0, 0, 320, 240);
    double at = frame / 24.0;
    int x = motion.equals("roll") ? (int) (40 + 240 * at) : 60 + 37 * clip % 200;
    int y =
        switch (motion) {
          case "fall" -> (int) (30 + 180 * at);
          case "rise" -> (int) (210 - 180 * at);
          default -> 70 + 23 * clip % 100;
        };
    graphics.translate(x, y);
    graphics.rotate(motion.equals("turn") || motion.equals("roll") ? 2 * Math.PI * at : 0);
    graphics.setColor(Color.getHSBColor(clip / 11f, 0.9f, 0.9f));
    int size = 36 + 5 * clip % 30;
    graphics.fillRoundRect(-size / 2, -size / 2, size, size, clip % 2 * size, clip % 2 * size / 2);
    graphics.setColor(Color.WHITE);
    graphics.fillRect(-size / 2, -3, size, 6);
  }

  /** Writes the pictures of the guide. */
  @Test
  void writesThePicturesOfTheGuide() throws Exception {
    String into = System.getProperty("alfamix.pictures");
    assumeTrue(into != null, "no pictures were requested");
    List<String> classes = List.of("fall", "rise", "roll", "turn");
    for (int i = 0; i < 48; i++) {
      String motion = classes.get(i % 4);
      int clip = i;
      TinyVideos.avi(
          folder.resolve("clips").resolve("%s/clip%02d.avi".formatted(motion, i)),
          320,
          240,
          24,
          (graphics, frame) -> paint(graphics, motion, clip, frame));
    }
    open(classes);
    browser.open(address("/p/clips"));
    for (int i = 0; i < 12; i++) {
      int item = item();
      answer(item, classes.indexOf(name(item).split("/")[0]));
    }
    while (browser.evaluate("document.querySelector('details.reason')").equals("null")) {
      int item = item();
      answer(item, classes.indexOf(name(item).split("/")[0]));
    }
    awaitPlaying();
    browser.saveScreenshot(Path.of(into).resolve("clip.png"));
    browser.open(address("/p/clips/grid"));
    browser.await("[...document.querySelectorAll('.cell img')].every(i => i.naturalWidth > 0)");
    browser.saveScreenshot(Path.of(into).resolve("clip-grid.png"));
  }
}
