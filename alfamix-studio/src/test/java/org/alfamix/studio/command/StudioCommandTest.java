package org.alfamix.studio.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.alfamix.command.CommandRunner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class StudioCommandTest {
  @TempDir private Path folder;

  private record Outcome(int code, String out, String err) {}

  private Outcome run(String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    if (!all.contains("--help")) {
      all.addAll(List.of("--home", folder.resolve("home").toString()));
    }
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line = CommandRunner.configure(new StudioCommand());
    line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    int code = CommandRunner.run(line, all.toArray(String[]::new));
    return new Outcome(code, out.toString(), err.toString());
  }

  private String error(int code, String... args) {
    Outcome outcome = run(args);
    assertEquals(code, outcome.code(), outcome.err());
    String first = outcome.err().lines().findFirst().orElse("");
    assertTrue(first.startsWith("alfamix: "), outcome.err());
    assertFalse(outcome.err().contains("\tat "), outcome.err());
    return first;
  }

  private Path write(String name, String text) throws Exception {
    Path file = folder.resolve(name);
    Files.writeString(file, text);
    return file;
  }

  @Test
  void createsImportsExportsAndDeletes() throws Exception {
    Outcome created = run("new", "demo", "--data", "digits");
    assertEquals(0, created.code(), created.err());
    assertTrue(
        created.out().startsWith("Created 'demo' with 1,618 items. Next, run: "), created.out());
    Path labels = write("labels.csv", "item,label\n0,3\n5,none of them\n");
    assertEquals("Imported 2 labels.\n", run("import", "demo", labels.toString()).out());
    assertEquals("demo                     2 of 1,618 items labelled\n", run("list").out());
    Path csv = folder.resolve("out.csv");
    assertEquals(0, run("export", "demo", "-o", csv.toString()).code());
    assertTrue(Files.readString(csv).contains(",none of them,no,"), Files.readString(csv));
    for (String format : List.of("jsonl", "label-studio", "folders")) {
      Path file = folder.resolve("out." + format);
      Outcome done = run("export", "demo", "--format", format, "-o", file.toString());
      assertEquals(0, done.code(), done.err());
      assertTrue(Files.size(file) > 100, format);
    }
    assertTrue(
        error(2, "delete", "demo")
            .contains("This deletes 'demo' with its 2 labels; add --yes to confirm."));
    assertEquals(0, run("delete", "demo", "--yes").code());
    assertEquals("", run("list").out());
  }

  @Test
  void reportsErrors() throws Exception {
    assertTrue(error(2, "new", "x").contains("--images"));
    assertTrue(
        error(3, "new", "x", "--images", folder.resolve("nowhere").toString()).contains("nowhere"));
    assertTrue(error(3, "new", "x", "--data", "nothing").contains("nothing"));
    assertTrue(error(2, "new", "a/b", "--data", "digits").contains("Invalid project name 'a/b'"));
    assertTrue(
        error(2, "new", "x", "--data", "digits", "--strategy", "magic")
            .contains("strategy is 'magic'"));
    assertTrue(
        error(2, "new", "x", "--data", "digits", "--features", "magic")
            .contains("features is 'magic'"));
    assertTrue(error(2, "new", "x", "--data", "digits", "--budget", "0").contains("budget is 0"));
    Path texts = write("texts.csv", "text\nhello\n");
    assertTrue(error(2, "new", "x", "--links", texts.toString()).contains("require embeddings"));
    assertTrue(
        error(3, "new", "x", "--data", "digits", "--classes", "a,a").contains("'a' already"));
    assertEquals(0, run("new", "demo", "--data", "digits").code());
    assertTrue(error(3, "new", "demo", "--data", "digits").contains("'demo' already"));
    assertTrue(
        error(3, "export", "dem", "-o", "x.csv")
            .contains("no project 'dem'. Existing projects: demo."));
    assertTrue(error(2, "export", "demo", "--format", "xml", "-o", "x").contains("format is"));
    Path bad = write("bad.csv", "item,label\n0,a\n99999,b\n");
    String message = error(3, "import", "demo", bad.toString());
    assertTrue(message.contains("bad.csv, line 3: item is '99999'"), message);
    assertTrue(run("list").out().contains("0 of 1,618"), "nothing was imported");
  }

  @Test
  void reportsAPortInUse() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      String port = String.valueOf(taken.getLocalPort());
      assertTrue(error(2, "serve", "--port", port).contains("Cannot listen on"));
    }
  }
}
