package org.alfamix.learn.embed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import org.alfamix.datasets.InputShape;
import org.alfamix.datasets.Inputs;
import org.alfamix.datasets.PixelInputs;
import org.alfamix.math.FloatMatrix;
import org.junit.jupiter.api.Test;

class FrameEmbedderTest {
  private static final int FRAMES = 3;

  /** Clips of 1 x 1 pixels: frame f of clip i is (10 i + f, f², 7). */
  private static final class Clips implements PixelInputs {
    private final int size;

    Clips(int size) {
      this.size = size;
    }

    @Override
    public int size() {
      return size;
    }

    @Override
    public InputShape shape() {
      return InputShape.video(FRAMES, 1, 1);
    }

    @Override
    public void readBytes(int item, byte[] target, int offset) {
      for (int f = 0; f < FRAMES; f++) {
        target[offset + f] = (byte) (10 * (item % 10) + f);
        target[offset + FRAMES + f] = (byte) (f * f);
        target[offset + 2 * FRAMES + f] = 7;
      }
    }
  }

  /** Returns the pixels of an image as its features. */
  private static final class Pixels implements Embedder {
    @Override
    public String name() {
      return "pixels";
    }

    @Override
    public int features() {
      return 3;
    }

    @Override
    public String digest() {
      return "pixels";
    }

    @Override
    public FloatMatrix embed(Inputs inputs, IntConsumer progress) {
      FloatMatrix rows = FloatMatrix.zeros(inputs.size(), 3);
      for (int i = 0; i < inputs.size(); i++) {
        inputs.read(i, rows.array(), rows.rowOffset(i));
      }
      progress.accept(inputs.size());
      return rows;
    }

    @Override
    public void close() {}
  }

  private static FloatMatrix embed(FrameFeatures.Pooling pooling, int clips) {
    try (Embedder embedder = new FrameEmbedder(new Pixels(), new FrameFeatures(FRAMES, pooling))) {
      List<Integer> progress = new ArrayList<>();
      FloatMatrix rows = embedder.embed(new Clips(clips), progress::add);
      assertEquals(clips, progress.get(progress.size() - 1), "progress is counted in clips");
      assertEquals(embedder.features(), rows.columns());
      return rows;
    }
  }

  private static float[] row(FloatMatrix rows, int i) {
    return Arrays.copyOfRange(rows.array(), rows.rowOffset(i), rows.rowOffset(i) + rows.columns());
  }

  @Test
  void poolsFramesPerClip() {
    assertArrayEquals(
        new float[] {41, 5 / 3f, 7}, row(embed(FrameFeatures.Pooling.MEAN, 600), 304), 1e-6f);
    assertArrayEquals(
        new float[] {42, 4, 7}, row(embed(FrameFeatures.Pooling.MAX, 600), 514), 1e-6f);
    assertArrayEquals(
        new float[] {41, 5 / 3f, 7, (float) Math.sqrt(2 / 3.0), (float) Math.sqrt(26 / 9.0), 0},
        row(embed(FrameFeatures.Pooling.MEAN_DEVIATION, 600), 4),
        1e-6f);
  }

  @Test
  void includesFramesAndPoolingInTheDigest() {
    String mean =
        new FrameEmbedder(new Pixels(), new FrameFeatures(3, FrameFeatures.Pooling.MEAN)).digest();
    assertNotEquals(
        mean,
        new FrameEmbedder(new Pixels(), new FrameFeatures(4, FrameFeatures.Pooling.MEAN)).digest());
    assertNotEquals(
        mean,
        new FrameEmbedder(new Pixels(), new FrameFeatures(3, FrameFeatures.Pooling.MAX)).digest());
    assertEquals(
        "frame-pooling is 'median', expected mean, max, mean-deviation.",
        assertThrows(IllegalArgumentException.class, () -> FrameFeatures.Pooling.parse("median"))
            .getMessage());
    assertThrows(
        IllegalArgumentException.class, () -> new FrameFeatures(0, FrameFeatures.Pooling.MEAN));
  }
}
