package org.alfamix.studio.source;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.alfamix.learn.embed.TextModel;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.studio.Studio;
import org.alfamix.studio.engine.ProjectOptions;
import org.alfamix.studio.store.Answer;
import org.alfamix.studio.store.Project;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceTest {
  @TempDir private Path folder;

  private Path write(String name, String text) throws Exception {
    Path file = folder.resolve(name);
    Files.writeString(file, text);
    return file;
  }

  private ItemSource open(SourceSpec.Kind kind, Path path, String embeddings, String column) {
    SourceSpec spec = new SourceSpec(kind, path.toString(), embeddings, column);
    assertEquals(spec, SourceSpec.parse(spec.toJson()), "the specification after a round trip");
    return spec.open(folder);
  }

  @Test
  void showsAllColumnsAndTrainsOnNumericOnes() throws Exception {
    Path file = write("birds.csv", "name,wing,beak\nheron,90,12.5\negret,60,8\n");
    try (ItemSource source = open(SourceSpec.Kind.TABLE, file, "", "")) {
      assertEquals(2, source.names().size());
      assertEquals(
          Map.of("name", "heron", "wing", "90", "beak", "12.5"),
          ((DisplayedItem.Fields) source.show(0)).values());
      ModelInput.Raw raw = (ModelInput.Raw) source.modelInput();
      assertEquals(2, raw.inputs().shape().length(), "wing and beak");
    }
    Path ids = write("ids.csv", "id,wing,tag\n7,90,1\n9,60,1\n8,60,1\n");
    try (ItemSource source = open(SourceSpec.Kind.TABLE, ids, "", "")) {
      assertEquals(1, ((ModelInput.Raw) source.modelInput()).inputs().shape().length());
      assertEquals(
          List.of(
              "ids.csv: Column 'id' is not used as a feature, because it looks like an identifier.",
              "ids.csv: Column 'tag' is not used as a feature, because it has the same value in all"
                  + " rows."),
          source.remarks());
    }
    Path words = write("words.csv", "a,b\nx,y\n");
    assertTrue(
        assertThrows(DataException.class, () -> open(SourceSpec.Kind.TABLE, words, "", ""))
            .getMessage()
            .contains("no numeric column"));
  }

  @Test
  void featuresOfTextsAreComputed() throws Exception {
    Path texts =
        write("tickets.csv", "id,body\n1,no paper\n2,\"paper,\nplease\"\n3,\n4,wrong bill\n");
    try (ItemSource source = open(SourceSpec.Kind.TEXTS, texts, "", "")) {
      assertEquals(new DisplayedItem.Text("paper,\nplease"), source.show(1));
      assertEquals(List.of("1", "2", "3", "4"), source.names());
      for (String name : List.of("ngrams", "auto")) {
        TextModel model = ((ModelInput.Texts) source.modelInput(name, done -> {})).model();
        FloatMatrix features = model.pool();
        assertEquals(4, features.rows());
        assertTrue(
            Kernels.dot(features.row(0), features.row(1))
                > Kernels.dot(features.row(0), features.row(3)));
        assertArrayEquals(
            features.row(3), model.of(List.of("wrong bill")).row(0), "the same text, not pooled");
      }
    }
  }

  @Test
  void textsMayBeLinesOrFiles() throws Exception {
    Path lines = write("lines.txt", "\ufefffirst\n\nsecond line\n");
    try (ItemSource source = open(SourceSpec.Kind.TEXTS, lines, "", "")) {
      assertEquals(List.of("line 1", "line 3"), source.names());
      assertEquals(new DisplayedItem.Text("first"), source.show(0));
    }
    Path files = Files.createDirectories(folder.resolve("files/inner"));
    Files.writeString(files.resolve("b.txt"), "B\nb");
    Files.writeString(files.resolve("a.txt"), "A");
    try (ItemSource source = open(SourceSpec.Kind.TEXTS, folder.resolve("files"), "", "")) {
      assertEquals(List.of("inner/a.txt", "inner/b.txt"), source.names());
      assertEquals(new DisplayedItem.Text("B\nb"), source.show(1));
    }
    SourceSpec spec =
        new SourceSpec(SourceSpec.Kind.TEXTS, folder.resolve("files").toString(), "", "")
            .withDigest();
    Files.writeString(folder.resolve("files/.DS_Store"), "not a text");
    spec.open(folder, List.of()).close();
    Files.move(files.resolve("a.txt"), files.resolve("c.txt"));
    assertTrue(
        assertThrows(DataException.class, () -> spec.open(folder, List.of()))
            .getMessage()
            .contains("has changed since the project was created"));
    Path empty = write("empty.csv", "id,text\n1,\n2, \n");
    assertTrue(
        assertThrows(DataException.class, () -> open(SourceSpec.Kind.TEXTS, empty, "", ""))
            .getMessage()
            .endsWith("empty.csv: all texts in column 'text' are empty."));
    Path twice = write("twice.csv", "id,text\n1,a\n1,b\n");
    try (ItemSource source = open(SourceSpec.Kind.TEXTS, twice, "", "")) {
      assertEquals(List.of("line 2", "line 3"), source.names(), "ids that are not unique");
    }
    SourceSpec asked =
        new SourceSpec(SourceSpec.Kind.TEXTS, twice.toString(), "", "text", "id", "");
    assertTrue(
        assertThrows(DataException.class, () -> asked.open(folder))
            .getMessage()
            .contains("line 3: column id is '1' as in line 2, expected a unique value"));
  }

  /** The folder of an encoder may be moved; the project must still open, to choose others. */
  @Test
  void namesAMissingEncoder() throws Exception {
    Path texts = write("tickets.csv", "body\nno paper\nwrong bill\n");
    Path gone = folder.resolve("gone").toAbsolutePath();
    try (Studio studio = new Studio(folder.resolve("home"), folder, Clock.systemUTC())) {
      studio.create(
          "tickets",
          new SourceSpec(SourceSpec.Kind.TEXTS, texts.toString(), "", ""),
          new ProjectOptions(gone.toString(), "alfamix", 1, 0, 0, 10, 1),
          List.of("a", "b"));
      Project project = studio.project("tickets");
      for (int i = 0; i < 500 && studio.worker(project).state().failure().isEmpty(); i++) {
        Thread.sleep(10);
      }
      String failure = studio.worker(project).state().failure();
      assertTrue(failure.startsWith(gone + ": found no model.onnx"), failure);
      ProjectOptions other =
          new ProjectOptions(folder.toAbsolutePath().toString(), "alfamix", 1, 0, 0, 10, 1);
      assertTrue(
          assertThrows(InvalidRequestException.class, () -> studio.setOptions(project, other))
              .getMessage()
              .contains("can be set only when the project is created"));
      studio.setOptions(project, new ProjectOptions("ngrams", "alfamix", 1, 0, 0, 10, 1));
    }
  }

  @Test
  void namedDataSetsOfTextsAreShown() {
    try (ItemSource source =
        new SourceSpec(SourceSpec.Kind.DATA, "banking77", "", "").open(folder)) {
      assertEquals(new DisplayedItem.Text("I am still waiting on my card?"), source.show(0));
      assertEquals(10_003, source.names().size());
    }
  }

  @Test
  void embeddingsMustFitTheTable() throws Exception {
    Path texts = write("texts.csv", "id,text\n1,hello\n2,\"<b>bye</b>\"\n3,\n");
    Path rows = write("rows.csv", "f0,f1\n1,2\n3,4\n5,6\n");
    try (ItemSource source = open(SourceSpec.Kind.TEXTS, texts, rows.toString(), "text")) {
      assertEquals(new DisplayedItem.Text("<b>bye</b>"), source.show(1));
      assertEquals(3, ((ModelInput.Given) source.modelInput()).embeddings().rows());
    }
    Path outside = Files.writeString(folder.getParent().resolve("secret.txt"), "secret");
    Path inside = Files.createDirectories(folder.resolve("links"));
    Path links = inside.resolve("links.csv");
    Files.writeString(
        links, "at\nhttps://example.org/1.png\nnote.txt\n../../" + outside.getFileName() + "\n");
    Files.writeString(inside.resolve("note.txt"), "beside it");
    try (ItemSource source = open(SourceSpec.Kind.LINKS, links, rows.toString(), "at")) {
      assertEquals(new DisplayedItem.Link("https://example.org/1.png"), source.show(0));
      assertEquals(new DisplayedItem.Text("beside it"), source.show(1));
      DataException failure = assertThrows(DataException.class, () -> source.show(2));
      assertTrue(
          failure.getMessage().contains("outside the project's folder"), failure.getMessage());
    } finally {
      Files.delete(outside);
    }
    assertTrue(
        assertThrows(
                DataException.class,
                () -> open(SourceSpec.Kind.TEXTS, texts, rows.toString(), "words"))
            .getMessage()
            .contains("no column 'words'; the columns are id, text."));
    Path few = write("few.csv", "f0,f1\n1,2\n");
    assertTrue(
        assertThrows(
                DataException.class,
                () -> open(SourceSpec.Kind.TEXTS, texts, few.toString(), "text"))
            .getMessage()
            .contains("has 1 rows"));
    assertThrows(
        IllegalArgumentException.class,
        () -> new SourceSpec(SourceSpec.Kind.LINKS, "links.csv", "", ""));
  }

  /** Starts without classes and labels all rows of a table. */
  @Test
  void trainsOnATable() throws Exception {
    StringBuilder rows = new StringBuilder("x,y\n");
    for (int i = 0; i < 40; i++) {
      rows.append(i < 20 ? "0.%d,1\n".formatted(i) : "5.%d,9\n".formatted(i));
    }
    Path file = write("points.csv", rows.toString());
    try (Studio studio = new Studio(folder.resolve("home"), Path.of(""), Clock.systemUTC())) {
      studio.create(
          "points",
          new SourceSpec(SourceSpec.Kind.TABLE, file.toString(), "", ""),
          new ProjectOptions(ProjectOptions.AUTO, "alfamix", 4, 0, 4, 10, 1),
          List.of());
      Project project = studio.project("points");
      studio.addClass(project, "left");
      studio.addClass(project, "right");
      var classes = studio.store().projects().classes(project.id());
      for (int i = 0; i < 40; i++) {
        List<Integer> next = studio.next(project, "ada", 1, List.of());
        if (next.isEmpty()) {
          break;
        }
        int item = next.get(0);
        studio.save(
            project,
            List.of(Answer.label(item, classes.get(item < 20 ? 0 : 1).id(), "ada", "r" + i)));
        for (int wait = 0; wait < 500 && studio.worker(project).state().busy(); wait++) {
          Thread.sleep(10);
        }
      }
      assertEquals("", studio.worker(project).state().failure());
      assertEquals(
          40, studio.store().ledger().countLabels(project.id()), "number of labelled items");
      var rounds = studio.store().rounds().all(project.id());
      var tested = rounds.stream().filter(round -> round.tested() > 0).toList();
      assertEquals(tested.get(tested.size() - 1).tested(), tested.get(tested.size() - 1).correct());
    }
  }
}
