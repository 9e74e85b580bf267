package org.alfamix.studio.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Random;
import javax.imageio.ImageIO;
import org.alfamix.studio.Studio;
import org.alfamix.studio.source.SourceSpec;
import org.alfamix.studio.store.Answer;
import org.alfamix.studio.store.LabelClass;
import org.alfamix.studio.store.Project;
import org.alfamix.studio.store.TrainingRound;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A network learns to distinguish vertical and horizontal bars of random position and colour. */
class NetworkModelTest {
  private static final int PICTURES = 200;

  @TempDir private Path folder;

  private Path draw() throws Exception {
    Path images = Files.createDirectories(folder.resolve("images"));
    Random random = new Random(1);
    for (int i = 0; i < PICTURES; i++) {
      BufferedImage image = new BufferedImage(64, 48, BufferedImage.TYPE_INT_RGB);
      Graphics2D graphics = image.createGraphics();
      graphics.setColor(new Color(150 + random.nextInt(100), 150 + random.nextInt(100), 200));
      int width = i % 2 == 0 ? 40 : 8;
      int height = i % 2 == 0 ? 8 : 36;
      graphics.fillRect(random.nextInt(64 - width), random.nextInt(48 - height), width, height);
      graphics.dispose();
      ImageIO.write(image, "png", images.resolve("%03d.png".formatted(i)).toFile());
    }
    return images;
  }

  @Test
  void trainsOnTheLabelsAndOnANewClass() throws Exception {
    Path images = draw();
    try (Studio studio = new Studio(folder.resolve("home"), Path.of(""), Clock.systemUTC())) {
      studio.create(
          "bars",
          new SourceSpec(SourceSpec.Kind.IMAGES, images.toString(), "", ""),
          new ProjectOptions(ProjectOptions.AUTO, "alfamix", 10, 0, 3, 10, 1),
          List.of("lies"));
      Project project = studio.project("bars");
      for (int labels = 0; labels < 90; labels++) {
        if (labels == 3) {
          studio.addClass(project, "stands"); // during labelling
        }
        List<LabelClass> classes = studio.store().projects().classes(project.id());
        int item = studio.next(project, "ada", 1, List.of()).get(0);
        Answer answer =
            classes.size() > item % 2
                ? Answer.label(item, classes.get(item % 2).id(), "ada", "r" + labels)
                : Answer.of(item, org.alfamix.studio.store.Change.Action.SKIP, "ada", "r" + labels);
        studio.save(project, List.of(answer));
        for (int i = 0; i < 1_000 && studio.worker(project).state().busy(); i++) {
          Thread.sleep(10);
        }
        assertEquals("", studio.worker(project).state().failure());
      }
      List<TrainingRound> rounds = studio.store().rounds().all(project.id());
      TrainingRound last = rounds.get(rounds.size() - 1);
      assertTrue(last.labels() >= 40, last.toString());
      assertTrue(last.correct() > 0.6 * last.tested(), "expected an accuracy above 60 %: " + last);
    }
  }
}
