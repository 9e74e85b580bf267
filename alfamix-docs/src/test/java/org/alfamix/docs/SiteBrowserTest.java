package org.alfamix.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.alfamix.testing.Browser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A reader of the site in Chromium, from a folder without a server. */
@Tag("slow")
class SiteBrowserTest {
  @TempDir private Path folder;

  private static final String BACKGROUND = "getComputedStyle(document.body).backgroundColor";

  @Test
  void opensAndSearchesPagesAndSwitchesToDarkMode() throws Exception {
    assumeTrue(Browser.installed().isPresent(), "Chromium is not installed");
    Path site = folder.resolve("site");
    new Site(Path.of("..")).write(site);
    try (Browser browser = new Browser(Files.createDirectories(folder.resolve("profile")))) {
      browser.resize(1280, 900, false);
      browser.open(site.resolve("index.html").toUri().toString());
      assertTrue(browser.evaluate("document.body.innerText").contains("Getting started"));

      String light = browser.evaluate(BACKGROUND);
      browser.evaluate("document.getElementById('theme').click()");
      assertNotEquals(light, browser.evaluate(BACKGROUND));
      browser.evaluate("document.getElementById('theme').click()");
      assertEquals(light, browser.evaluate(BACKGROUND));
      browser.setDarkMode(true);
      browser.evaluate("delete document.documentElement.dataset.theme");
      assertNotEquals(light, browser.evaluate(BACKGROUND));
      browser.setDarkMode(false);

      browser.press("/");
      assertEquals("search", browser.evaluate("document.activeElement.id"));
      type(browser, "per-class-cap");
      browser.await("document.querySelectorAll('#results a').length > 0");
      assertTrue(
          browser
              .evaluate("document.querySelector('#results').innerText")
              .contains("per-class-cap"));
      type(browser, "exit codes");
      String target = browser.evaluate("document.querySelector('#results a').href");
      assertTrue(target.contains("exit-codes.html"), target);
      browser.evaluate("window.leaving = true");
      browser.press("Enter");
      browser.await(
          "!window.leaving && document.readyState === 'complete'"
              + " && document.title.startsWith('Exit codes')");
      type(browser, "xyzzyplugh");
      browser.await("document.querySelector('#results').innerText === 'No results.'");

      // On a phone nothing is wider than the screen, and the menu opens.
      browser.resize(390, 800, true);
      for (String page : List.of("index", "reference/commands", "guide/select")) {
        browser.open(site.resolve(page + ".html").toUri().toString());
        assertEquals("true", browser.evaluate("document.documentElement.scrollWidth <= 390"), page);
      }
      browser.evaluate("document.getElementById('menu').click()");
      assertEquals(
          "block",
          browser.evaluate("getComputedStyle(document.getElementById('navigation')).display"));
      assertEquals(List.of(), browser.problems());
      assertTrue(
          browser.requests().stream().noneMatch(request -> request.contains("\"url\":\"http")),
          "pages load nothing from elsewhere");
    }
  }

  private static void type(Browser browser, String words) {
    browser.evaluate(
        "(() => { const s = document.getElementById('search'); s.focus(); s.value = '%s';"
                .formatted(words)
            + " s.dispatchEvent(new Event('input')); })()");
  }
}
