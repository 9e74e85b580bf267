package org.alfamix.lab.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import org.alfamix.lab.run.SyntheticRuns;
import org.alfamix.lab.setting.Setting;
import org.alfamix.testing.Browser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Opens the page of a report in a browser. */
@Tag("slow")
class ReportInBrowserTest {
  /** Chromium may still write to its profile when it is stopped. */
  @TempDir(cleanup = CleanupMode.NEVER)
  private Path profile;

  @TempDir private Path folder;

  private static final String[] METHODS = {
    "random", "entropy", "bald", "coreset", "gcnal", "cdal", "badge", "alfamix"
  };

  /** Writes a report on three settings of the paper, an ablation, and a map. */
  private Path page() {
    for (String name : List.of("mnist-mlp", "letter-mlp", "mnist-lenet5-large")) {
      SyntheticRuns.write(
          folder,
          ReportTest.setting(name),
          ReportTest.methods(METHODS),
          5,
          ReportTest.steps(METHODS));
    }
    for (String name : List.of("ablation-picks", "digits-mlp")) {
      Setting setting = ReportTest.setting(name);
      SyntheticRuns.write(
          folder,
          setting,
          setting.defaultMethods(),
          2,
          (method, seed, round) -> 0.5 + 0.03 * round + 0.002 * (method.length() * seed % 7));
    }
    Path page = folder.resolve("report.html");
    Report.of(Results.read(folder)).write(page);
    return page;
  }

  @Test
  void showsAllFiguresWithoutErrors() throws Exception {
    Optional<Path> program = Browser.installed();
    assumeTrue(program.isPresent(), "skipped: Chromium is not installed (Debian: chromium)");
    Path page = page();
    try (Browser browser = new Browser(profile)) {
      browser.resize(1200, 900, false);
      browser.open(page.toUri().toString());
      int figures = Integer.parseInt(browser.evaluate("document.querySelectorAll('svg').length"));
      assertTrue(figures > 40, figures + " figures");
      assertEquals(
          "",
          browser.evaluate(
              "[...document.querySelectorAll('figure:has(svg)')].filter(f =>"
                  + " ![...f.querySelectorAll('svg .mark')].some(m => m.getBBox().width > 1)"
                  + ").map(f => f.id).join(' ')"),
          "figures without marks");
      assertEquals(
          "",
          browser.evaluate(
              "[...document.querySelectorAll('svg .mark')].filter(m => { const s ="
                  + " m.ownerSVGElement.viewBox.baseVal, b = m.getBBox(); return !(b.x >= -1 && b.y"
                  + " >= -1 && b.x + b.width <= s.width + 1 && b.y + b.height <= s.height + 1);"
                  + " }).map(m => m.closest('figure').id).join(' ')"),
          "figures with marks outside the drawing");
      assertEquals(
          "",
          browser.evaluate(
              "[...document.querySelectorAll('svg text')].filter(t => { const s ="
                  + " t.ownerSVGElement.getBoundingClientRect(), b = t.getBoundingClientRect();"
                  + " return b.left < s.left - 1 || b.right > s.right + 1 || b.bottom > s.bottom +"
                  + " 1; }).map(t => t.closest('figure').id + ':' + t.textContent).join(' ')"),
          "texts that are cut off");
      checkNarrowLayout(browser);
      checkColourSchemes(browser);
      checkSaveButtons(browser);
      assertEquals(List.of(), browser.problems(), "errors on the console");
      assertEquals(1, browser.requests().size(), "only the page is requested");
    }
  }

  private static void checkNarrowLayout(Browser browser) throws Exception {
    browser.resize(400, 900, false);
    assertEquals(
        "true",
        browser.evaluate("document.documentElement.scrollWidth <= 400"),
        "no horizontal scrolling");
    double smallest =
        Double.parseDouble(
            browser.evaluate(
                "Math.min(...[...document.querySelectorAll('svg text')].map(t =>"
                    + " parseFloat(getComputedStyle(t).fontSize) *"
                    + " t.ownerSVGElement.getBoundingClientRect().width /"
                    + " t.ownerSVGElement.viewBox.baseVal.width))"));
    assertTrue(smallest >= 9, "the smallest font has " + smallest + " pixels");
  }

  private static void checkColourSchemes(Browser browser) throws Exception {
    String background = "getComputedStyle(document.body).backgroundColor";
    browser.setDarkMode(false);
    assertEquals("rgb(255, 255, 255)", browser.evaluate(background));
    browser.setDarkMode(true);
    assertEquals("rgb(20, 24, 31)", browser.evaluate(background));
    browser.setDarkMode(false);
  }

  /** Compares what the buttons save. */
  private static void checkSaveButtons(Browser browser) throws Exception {
    String svg =
        browser.evaluate("standalone(document.querySelector('#figure-curves-mnist-mlp svg'))");
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    assertTrue(svg.contains("stroke:rgb("), "contains resolved colours");
    assertTrue(!svg.contains("var("), "does not depend on the styles of the page");
    browser.evaluate(
        "(window.taken = [], window.save = (name, type, text) => taken.push(name + '|' + text),"
            + " document.querySelectorAll('#figure-curves-mnist-mlp button').forEach(b =>"
            + " b.click()), 0)");
    String taken = browser.evaluate("taken.join('\\u0000')");
    assertTrue(taken.startsWith("curves-mnist-mlp.svg|<svg"), taken.substring(0, 60));
    assertTrue(
        taken.contains("curves-mnist-mlp.csv|method,labels,mean,deviation\nrandom,100,"), taken);
  }
}
