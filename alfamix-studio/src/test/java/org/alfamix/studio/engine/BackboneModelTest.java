package org.alfamix.studio.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.studio.Studio;
import org.alfamix.studio.source.SourceSpec;
import org.alfamix.studio.store.Answer;
import org.alfamix.studio.store.LabelClass;
import org.alfamix.studio.store.Project;
import org.alfamix.studio.store.TrainingRound;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Features of pictures by a pre-trained network: here one with the names of DINO, whose weights are
 * mostly zeros and ones, so that its features are colours.
 */
class BackboneModelTest {
  private static final int PICTURES = 24;
  private static final String BACKBONE = "vit-small-dino";

  @TempDir private Path folder;

  @BeforeEach
  void putWeights() throws IOException {
    Path own = Files.createDirectories(folder.resolve("data/weights").resolve(BACKBONE));
    String name = "dino_deitsmall16_pretrain.pth";
    try (InputStream in = BackboneModelTest.class.getResourceAsStream("/weights/" + name)) {
      Files.copy(in, own.resolve(name));
    }
  }

  /** Writes pictures that are mostly red or mostly blue. */
  private Path draw() throws IOException {
    Path images = Files.createDirectories(folder.resolve("images"));
    for (int i = 0; i < PICTURES; i++) {
      BufferedImage image = new BufferedImage(40, 30, BufferedImage.TYPE_INT_RGB);
      int level = 120 + 5 * i;
      for (int p = 0; p < 1200; p++) {
        image.setRGB(p % 40, p / 40, i % 2 == 0 ? level << 16 | 60 : 60 << 16 | level);
      }
      ImageIO.write(image, "png", images.resolve("%03d.png".formatted(i)).toFile());
    }
    return images;
  }

  private static void await(Studio studio, Project project) throws InterruptedException {
    for (int i = 0; i < 6_000 && studio.worker(project).state().busy(); i++) {
      Thread.sleep(10);
    }
    assertEquals("", studio.worker(project).state().failure());
  }

  private static void label(Studio studio, Project project, int count, String request)
      throws InterruptedException {
    await(studio, project);
    List<LabelClass> classes = studio.store().projects().classes(project.id());
    for (int i = 0; i < count; i++) {
      int item = studio.next(project, "ada", 1, List.of()).get(0);
      studio.save(
          project, List.of(Answer.label(item, classes.get(item % 2).id(), "ada", request + i)));
      await(studio, project);
    }
  }

  private long cached() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("data/features"))) {
      return files.filter(file -> file.toString().endsWith(".npy")).count();
    }
  }

  @Test
  void trainsOnCachedFeaturesOfABackbone() throws Exception {
    Path home = folder.resolve("home");
    Path images = draw();
    try (Studio studio = new Studio(home, folder.resolve("data"), Clock.systemUTC())) {
      studio.create(
          "colours",
          new SourceSpec(SourceSpec.Kind.IMAGES, images.toString(), "", ""),
          new ProjectOptions(BACKBONE, "alfamix", 4, 0, 3, 10, 1),
          List.of("red", "blue"));
      Project project = studio.project("colours");
      label(studio, project, 8, "a");
      assertEquals(1, cached());
    }
    try (Studio studio = new Studio(home, folder.resolve("data"), Clock.systemUTC())) {
      Project project = studio.project("colours");
      label(studio, project, 8, "b");
      assertEquals(1, cached(), "the features are read from the cache");
      List<TrainingRound> rounds = studio.store().rounds().all(project.id());
      TrainingRound last = rounds.get(rounds.size() - 1);
      assertTrue(last.tested() > 0 && last.correct() == last.tested(), last.toString());
    }
  }

  @Test
  void rejectsABackboneForTables() throws Exception {
    Path table = folder.resolve("t.csv");
    Files.writeString(table, "a,b\n1,2\n3,4\n5,6\n7,8\n");
    try (Studio studio =
        new Studio(folder.resolve("home"), folder.resolve("data"), Clock.systemUTC())) {
      ProjectOptions options = new ProjectOptions(BACKBONE, "alfamix", 4, 0, 3, 10, 1);
      SourceSpec rows = new SourceSpec(SourceSpec.Kind.TABLE, table.toString(), "", "");
      assertEquals(
          BACKBONE + " is for images or videos, but the items are neither; choose other features.",
          assertThrows(
                  InvalidRequestException.class,
                  () -> studio.create("rows", rows, options, List.of("x", "y")))
              .getMessage());
    }
  }
}
