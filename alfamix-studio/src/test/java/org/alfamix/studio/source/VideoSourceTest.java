package org.alfamix.studio.source;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.alfamix.datasets.InputShape;
import org.alfamix.datasets.video.VideoEngine;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.alfamix.studio.engine.ProjectWorker;
import org.alfamix.video.TinyVideos;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VideoSourceTest {
  @TempDir private Path folder;

  private Path clips() throws IOException {
    Path clips = Files.createDirectories(folder.resolve("clips"));
    TinyVideos.avi(clips.resolve("a.avi"), 64, 48, 12, new Color(180, 0, 0));
    VideoEngine.find().convertToWebm(clips.resolve("a.avi"), clips.resolve("b.webm"));
    ImageIO.write(
        new BufferedImage(8, 8, BufferedImage.TYPE_INT_RGB),
        "gif",
        clips.resolve("c.gif").toFile());
    Files.writeString(clips.resolve("broken.mp4"), "nothing");
    Files.writeString(clips.resolve("notes.txt"), "not a video");
    return clips;
  }

  private ItemSource open(Path clips) {
    SourceSpec spec = new SourceSpec(SourceSpec.Kind.VIDEOS, clips.toString(), "", "");
    assertEquals(spec, SourceSpec.parse(spec.toJson()));
    return spec.open(folder.resolve("data"));
  }

  @Test
  void playsClipsDirectlyOrConvertsThemOnce() throws IOException {
    Path clips = clips();
    try (ItemSource source = open(clips)) {
      assertEquals(List.of("a.avi", "b.webm", "c.gif"), source.names());
      assertEquals(1, source.skipped().size());
      assertTrue(source.skipped().get(0).contains("broken.mp4: cannot be read as a video"));
      assertTrue(source.isClip(0) && source.isClip(1) && source.isPicture(2));
      DisplayedItem.Clip converted = (DisplayedItem.Clip) source.show(0);
      assertEquals("video/webm", converted.type());
      assertFalse(converted.file().startsWith(clips), "the original is unchanged");
      assertEquals(converted, source.show(0));
      try (var files = Files.list(folder.resolve("data/converted"))) {
        assertEquals(1, files.count());
      }
      assertEquals(
          new DisplayedItem.Clip(clips.toRealPath().resolve("b.webm"), "video/webm"),
          source.show(1));
      assertEquals("image/gif", ((DisplayedItem.Picture) source.show(2)).type());
      assertEquals(clips.toRealPath().resolve("a.avi"), source.file(0).orElseThrow());
      BufferedImage poster = ImageIO.read(new ByteArrayInputStream(source.poster(0).bytes()));
      assertEquals(64, poster.getWidth());
      assertTrue(new Color(poster.getRGB(2, 2)).getRed() > 140);
      ModelInput.Raw pixels = (ModelInput.Raw) source.modelInput();
      assertEquals(InputShape.video(4, 32, 32), pixels.inputs().shape());
      ModelInput.Raw large = (ModelInput.Raw) source.modelInput(224);
      assertEquals(InputShape.video(4, 224, 224), large.inputs().shape());
      float[] values = new float[pixels.inputs().shape().length()];
      pixels.inputs().read(0, values, 0);
      assertTrue(values[0] > 100, "red");
    }
  }

  /** A file that is replaced by a link out of the folder is not served; the model continues. */
  @Test
  void rejectsLinksOutOfTheFolder() throws IOException {
    Path clips = clips();
    Path secret = TinyVideos.avi(folder.resolve("secret.avi"), 5, Color.RED);
    try (ItemSource source = open(clips)) {
      Files.delete(clips.resolve("a.avi"));
      Files.createSymbolicLink(clips.resolve("a.avi"), secret);
      assertThrows(DataException.class, () -> source.show(0));
      assertThrows(DataException.class, () -> source.poster(0));
      ModelInput.Raw raw = (ModelInput.Raw) source.modelInput();
      float[] values = new float[raw.inputs().shape().length()];
      values[0] = 1;
      raw.inputs().read(0, values, 0);
      assertArrayEquals(new float[values.length], values, "black");
      assertTrue(
          source.skipped().get(0).contains("outside the project's folder"),
          source.skipped().toString());
    }
  }

  @Test
  void checksThatFeaturesAreForVideos() throws IOException {
    try (ItemSource source = open(clips())) {
      ProjectWorker.checkCompatible("resnet50-imagenet", source);
      ProjectWorker.checkCompatible("mvit-kinetics-400", source);
      ProjectWorker.checkCompatible("fixed", source);
      assertTrue(
          assertThrows(
                  InvalidRequestException.class,
                  () -> ProjectWorker.checkCompatible("lenet5", source))
              .getMessage()
              .contains("the items are videos"));
    }
    Path empty = Files.createDirectories(folder.resolve("empty"));
    assertTrue(
        assertThrows(DataException.class, () -> open(empty))
            .getMessage()
            .contains("expected videos (MP4"));
  }
}
