package org.alfamix.studio.source;

import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.alfamix.datasets.Dataset;
import org.alfamix.datasets.Datasets;
import org.alfamix.datasets.InputShape;
import org.alfamix.datasets.Inputs;

/** The pool of a named data set, without its classes. */
final class DatasetItems implements ItemSource {
  /** The size to which tiny images are enlarged. */
  private static final int SHOWN_SIDE = 256;

  private static final float WHITE = 255;

  private final Dataset data;
  private final Inputs inputs;
  private final float brightest;
  private final List<String> names;
  private final Clips clips;

  private final TextModels models;

  DatasetItems(String name, Path dataFolder) {
    this.clips = new Clips(dataFolder);
    this.data = Datasets.open(name, dataFolder);
    this.inputs = data.pool().inputs();
    this.models = new TextModels(inputs, dataFolder);
    this.names = IntStream.range(0, inputs.size()).mapToObj(inputs::id).toList();
    this.brightest = inputs.hasBytes() || inputs.shape().isText() ? WHITE : brightest();
  }

  private float brightest() {
    float[] values = new float[inputs.shape().length()];
    float most = 1;
    for (int i = 0; i < Math.min(100, inputs.size()); i++) {
      inputs.read(i, values, 0);
      for (float value : values) {
        most = Math.max(most, value);
      }
    }
    return most;
  }

  @Override
  public List<String> names() {
    return names;
  }

  @Override
  public boolean isClip(int item) {
    return inputs.shape().isVideo();
  }

  @Override
  public DisplayedItem.Picture poster(int item) {
    return Clips.poster(file(item).orElseThrow());
  }

  @Override
  public Optional<Path> file(int item) {
    return inputs.file(item);
  }

  @Override
  public DisplayedItem show(int item) {
    if (isClip(item)) {
      return clips.show(file(item).orElseThrow());
    }
    if (inputs.shape().isText()) {
      return new DisplayedItem.Text(inputs.text(item));
    }
    float[] values = new float[inputs.shape().length()];
    inputs.read(item, values, 0);
    return inputs.shape().isImage() ? picture(values) : fields(values);
  }

  private static DisplayedItem fields(float[] values) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (int d = 0; d < values.length; d++) {
      fields.put("column " + (d + 1), String.valueOf(values[d]));
    }
    return new DisplayedItem.Fields(fields);
  }

  private DisplayedItem picture(float[] values) {
    InputShape shape = inputs.shape();
    BufferedImage image =
        new BufferedImage(shape.width(), shape.height(), BufferedImage.TYPE_INT_RGB);
    for (int y = 0; y < shape.height(); y++) {
      for (int x = 0; x < shape.width(); x++) {
        image.setRGB(x, y, colour(values, shape, y, x));
      }
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      ImageIO.write(enlarged(image), "png", bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new DisplayedItem.Picture(bytes.toByteArray(), "image/png");
  }

  /** Enlarges smoothly, because eight by eight squares are hard to read. */
  private static BufferedImage enlarged(BufferedImage image) {
    int factor = Math.max(1, SHOWN_SIDE / Math.max(image.getHeight(), image.getWidth()));
    BufferedImage large =
        new BufferedImage(
            image.getWidth() * factor, image.getHeight() * factor, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = large.createGraphics();
    graphics.setRenderingHint(
        RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BICUBIC);
    graphics.drawImage(image, 0, 0, large.getWidth(), large.getHeight(), null);
    graphics.dispose();
    return large;
  }

  private int colour(float[] values, InputShape shape, int y, int x) {
    int colour = 0;
    int plane = shape.height() * shape.width();
    for (int c = 0; c < 3; c++) {
      int at = Math.min(c, shape.channels() - 1) * plane + y * shape.width() + x;
      int level = Math.round(WHITE * values[at] / brightest);
      colour = colour << 8 | Math.max(0, Math.min((int) WHITE, level));
    }
    return colour;
  }

  @Override
  public boolean isPicture(int item) {
    return inputs.shape().isImage();
  }

  @Override
  public boolean hasTexts() {
    return inputs.shape().isText();
  }

  @Override
  public ModelInput modelInput() {
    return modelInput("", done -> {});
  }

  @Override
  public void close() {
    models.close();
  }

  @Override
  public ModelInput modelInput(String features, IntConsumer progress) {
    if (inputs.shape().isText()) {
      return models.input(features, progress);
    }
    return new ModelInput.Raw(
        inputs.shape().isVideo() ? inputs.withClips(Clips.PIXELS) : inputs, data.scaling());
  }
}
