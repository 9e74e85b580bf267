package org.alfamix.datasets;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Transparency;
import java.awt.color.ColorSpace;
import java.awt.image.BufferedImage;
import java.awt.image.ComponentColorModel;
import java.awt.image.DataBuffer;
import java.awt.image.Raster;
import java.awt.image.WritableRaster;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.imageio.ImageIO;
import org.alfamix.io.DataException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageFolderTest {
  private static final long MEMORY = 1 << 20;

  /** A lossless image of 4 x 6 pixels, (200, 10, 30) at the top and (5, 100, 250) at the bottom. */
  private static final byte[] WEBP =
      Base64.getDecoder().decode("UklGRiQAAABXRUJQVlA4TBcAAAAvA0ABAA9wBa33IN+De/5DC/MQ0f/AAQA=");

  @TempDir Path folder;

  private static byte[] plain(int type, int rgb, String format) throws IOException {
    BufferedImage image = new BufferedImage(6, 4, type);
    for (int i = 0; i < 24; i++) {
      if (type == BufferedImage.TYPE_BYTE_GRAY || type == BufferedImage.TYPE_USHORT_GRAY) {
        image.getRaster().setSample(i % 6, i / 6, 0, rgb);
      } else {
        image.setRGB(i % 6, i / 6, 0xff000000 | rgb);
      }
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertTrue(ImageIO.write(image, format, out));
    return out.toByteArray();
  }

  private static byte[] png(int rgb) throws IOException {
    return plain(BufferedImage.TYPE_INT_RGB, rgb, "png");
  }

  private void write(Map<String, byte[]> files) throws IOException {
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Path path = folder.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.write(path, file.getValue());
    }
  }

  private Path zip(Map<String, byte[]> files) throws IOException {
    Path path = folder.resolve("images.zip");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(path))) {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        zip.putNextEntry(new ZipEntry(file.getKey()));
        zip.write(file.getValue());
      }
    }
    return path;
  }

  private static float[] read(Inputs inputs, int item) {
    float[] values = new float[inputs.shape().length()];
    inputs.read(item, values, 0);
    return values;
  }

  @Test
  void readsTheColoursOfAllFormats() throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put("a/1.png", png(0x336699));
    files.put("a/2.png", plain(BufferedImage.TYPE_BYTE_GRAY, 128, "png"));
    files.put("a/3.png", plain(BufferedImage.TYPE_USHORT_GRAY, 128 * 257, "png"));
    files.put("a/4.png", plain(BufferedImage.TYPE_BYTE_INDEXED, 0x3366cc, "png"));
    files.put("a/5.png", plain(BufferedImage.TYPE_INT_ARGB, 0x0a0b0c, "png"));
    files.put("a/6.jpg", plain(BufferedImage.TYPE_INT_RGB, 0x336699, "jpg"));
    files.put("b/7.WEBP", WEBP);
    files.put("b/8.jpeg", plain(BufferedImage.TYPE_BYTE_GRAY, 77, "jpg"));
    files.put("b/9.png", png(0));
    files.put("b/10.png", png(0xffffff));
    write(files);
    Dataset set = ImageFolder.open(folder).read("try", 6, MEMORY);
    assertEquals(List.of("a", "b"), set.classNames());
    assertEquals(9, set.pool().size());
    assertEquals(1, set.test().size());
    Map<String, float[]> found = new LinkedHashMap<>();
    for (Dataset.Part part : List.of(set.pool(), set.test())) {
      for (int i = 0; i < part.size(); i++) {
        String name = part.inputs().describe(i);
        String file = name.substring(folder.toString().length() + 1);
        assertEquals(file.startsWith("a/") ? 0 : 1, part.labels()[i]);
        found.put(file, read(part.inputs(), i));
      }
    }
    assertColour(found.get("a/1.png"), 0x33, 0x66, 0x99, 0);
    // A grey value of 128 stays 128; treated as linear light, it would become 188.
    assertColour(found.get("a/2.png"), 128, 128, 128, 0);
    assertColour(found.get("a/3.png"), 128, 128, 128, 0);
    assertColour(found.get("a/4.png"), 0x33, 0x66, 0xcc, 0);
    assertColour(found.get("a/5.png"), 10, 11, 12, 0);
    assertColour(found.get("a/6.jpg"), 0x33, 0x66, 0x99, 3);
    assertColour(found.get("b/8.jpeg"), 77, 77, 77, 1);
    float[] webp = found.get("b/7.WEBP");
    assertEquals(200, webp[0]);
    assertEquals(10, webp[36]);
    assertEquals(250, webp[3 * 36 - 1]);
  }

  private static void assertColour(float[] planes, int red, int green, int blue, int tolerance) {
    int[] colour = {red, green, blue};
    for (int i = 0; i < planes.length; i++) {
      assertEquals(colour[i / 36], planes[i], tolerance, "value " + i);
    }
  }

  /** Expects the result of Pillow; Java's own conversion would return 193, 162, 121. */
  @Test
  void convertsCmykToRgb() {
    WritableRaster inks = Raster.createInterleavedRaster(DataBuffer.TYPE_BYTE, 6, 4, 4, null);
    for (int i = 0; i < 24; i++) {
      inks.setPixel(i % 6, i / 6, new int[] {100, 150, 200, 30});
    }
    ColorSpace space =
        new ColorSpace(ColorSpace.TYPE_CMYK, 4) {
          private static final long serialVersionUID = 1;

          @Override
          public float[] toRGB(float[] value) {
            throw new AssertionError("unexpected call");
          }

          @Override
          public float[] fromRGB(float[] value) {
            throw new AssertionError("unexpected call");
          }

          @Override
          public float[] toCIEXYZ(float[] value) {
            throw new AssertionError("unexpected call");
          }

          @Override
          public float[] fromCIEXYZ(float[] value) {
            throw new AssertionError("unexpected call");
          }
        };
    ComponentColorModel model =
        new ComponentColorModel(space, false, false, Transparency.OPAQUE, DataBuffer.TYPE_BYTE);
    byte[] planes = Images.planes(new BufferedImage(model, inks, false, null), 4, 6);
    assertEquals(137, planes[0] & 0xff);
    assertEquals(93, planes[24] & 0xff);
    assertEquals(49, planes[48] & 0xff);
  }

  @Test
  void addsUnlabelledImagesOnlyToThePool() throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    for (int i = 0; i < 30; i++) {
      String label = i < 10 ? "a" : i < 20 ? "b" : "Unlabelled";
      files.put("%s/%02d.png".formatted(label, i), png(i));
    }
    write(files);
    Dataset set = ImageFolder.open(folder).read("some", 4, MEMORY);
    assertEquals(List.of("a", "b"), set.classNames());
    assertEquals(27, set.pool().size());
    assertEquals(20, set.labelledItems().length + set.test().size());
    for (int i = 0; i < 27; i++) {
      String id = set.pool().inputs().id(i);
      assertEquals(id.startsWith("Unlabelled/"), set.pool().labels()[i] == Dataset.UNLABELLED, id);
    }
  }

  @Test
  void readsAZipFileLikeAFolder() throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put("photos/dog/1.png", png(0x010203));
    files.put("photos/cat/1.png", png(0x040506));
    files.put("photos/cat/notes.txt", new byte[] {1});
    files.put("__MACOSX/photos/cat/._1.png", new byte[] {1});
    Dataset zipped = ImageFolder.open(zip(files)).read("zip", 4, MEMORY);
    assertEquals(List.of("cat", "dog"), zipped.classNames());
    assertArrayEquals(new int[] {0, 1}, zipped.pool().labels());
    assertEquals(3, read(zipped.pool().inputs(), 1)[2 * 16]);
  }

  @Test
  void ignoresHiddenEntries() throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    for (String name : new String[] {"cat/1.png", "cat/2.png", "dog/1.png", "dog/.1.png"}) {
      files.put(name, png(1));
    }
    files.put(".ipynb_checkpoints/1-checkpoint.png", png(1));
    files.put("__MACOSX/cat/._1.png", png(1));
    files.put("cat/.thumbnails/1.png", png(1));
    write(files);
    Dataset set = ImageFolder.open(folder).read("try", 4, MEMORY);
    assertEquals(List.of("cat", "dog"), set.classNames());
    assertEquals(3, set.pool().size() + set.test().size());
    Dataset zipped = ImageFolder.open(zip(files)).read("zip", 4, MEMORY);
    assertEquals(List.of("cat", "dog"), zipped.classNames());
  }

  @Test
  void rejectsAmbiguousClassesWithTwoExamplePaths() throws IOException {
    write(Map.of("ds/cat/1.png", png(1), "ds/dog/2.png", png(2)));
    assertEquals(
        List.of("cat", "dog"), ImageFolder.open(folder).read("try", 4, MEMORY).classNames());
    for (String stray : new String[] {"docs/figure.png", "docs/images/figure.png"}) {
      write(Map.of(stray, png(3)));
      String message =
          assertThrows(DataException.class, () -> ImageFolder.open(folder).read("try", 4, MEMORY))
              .getMessage();
      assertTrue(message.startsWith(folder + ": the classes are ambiguous: "), message);
      assertTrue(message.contains("ds/cat/1.png") && message.contains(stray), message);
      Files.delete(folder.resolve(stray));
    }
    // A class with direct images may also have subfolders with images.
    write(Map.of("ds/cat/more/3.png", png(3), "ds/unlabelled/a/b/4.png", png(4)));
    assertEquals(
        List.of("cat", "dog"), ImageFolder.open(folder).read("try", 4, MEMORY).classNames());
  }

  @Test
  void sortsClassesByCodePoints() throws IOException {
    write(Map.of("😀/1.png", png(1), "Ａ/2.png", png(2)));
    assertEquals(List.of("Ａ", "😀"), ImageFolder.open(folder).read("try", 4, MEMORY).classNames());
  }

  @Test
  void usesTrainAndTestFoldersAsTheSplit() throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put("x/train/b/1.png", png(1));
    files.put("x/train/a/1.png", png(2));
    files.put("x/train/a/2.png", png(3));
    files.put("x/test/a/1.png", png(4));
    files.put("x/test/b/1.png", png(5));
    write(files);
    Dataset set = ImageFolder.open(folder).read("split", 4, MEMORY);
    assertArrayEquals(new int[] {0, 0, 1}, set.pool().labels());
    assertArrayEquals(new int[] {0, 1}, set.test().labels());
    assertEquals(5, read(set.test().inputs(), 1)[2 * 16]);
  }

  @Test
  void ignoresValidationFoldersAndRejectsStrayFiles() throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put("Train/b/1.png", png(1));
    files.put("Train/a/1.png", png(2));
    files.put("Test/a/1.png", png(4));
    files.put("val/a/1.png", png(9));
    write(files);
    Dataset set = ImageFolder.open(folder).read("split", 4, MEMORY);
    assertEquals(List.of("a", "b"), set.classNames());
    assertEquals(2, set.pool().size());
    assertEquals(1, set.test().size(), "validation images are ignored");
    write(Map.of("Train/preview.png", png(3)));
    assertMessage(
        "Train/preview.png: expected this file in a class folder below the train or test folder",
        () -> ImageFolder.open(folder).read("split", 4, MEMORY));
  }

  @Test
  void followsLinks() throws IOException {
    write(Map.of("real/a/1.png", png(1), "real/b/1.png", png(2)));
    Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("real"));
    assertEquals(2, ImageFolder.open(link).read("link", 4, MEMORY).pool().size());
  }

  @Test
  void limitsTheCacheAndIsThreadSafe() throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    for (int i = 0; i < 40; i++) {
      files.put("%s/%02d.png".formatted(i % 2 == 0 ? "a" : "b", i), png(i));
    }
    write(files);
    int[] opened = {0};
    List<String> names = List.copyOf(files.keySet());
    ImageInputs inputs =
        new ImageInputs(
            name -> {
              synchronized (opened) {
                opened[0]++;
              }
              return new ByteArrayInputStream(files.get(name));
            },
            "here",
            names,
            4,
            4,
            10 * 48);
    IntStream.range(0, 400)
        .parallel()
        .forEach(i -> assertEquals(i % 40, read(inputs, i % 40)[2 * 16]));
    assertEquals(10, inputs.cached());
    int before = opened[0];
    read(inputs, 7);
    read(inputs, 7);
    assertTrue(opened[0] <= before + 1, "cached after the first read");
  }

  @Test
  void rejectsInvalidFoldersAndFiles() throws IOException {
    assertMessage("no such file", () -> ImageFolder.open(folder.resolve("missing")));
    assertMessage("no images", () -> ImageFolder.open(folder).read("x", 4, MEMORY));
    write(Map.of("a/1.png", png(1)));
    assertMessage("one class only, 'a'", () -> ImageFolder.open(folder).read("x", 4, MEMORY));
    write(Map.of("b/broken.jpg", new byte[] {1, 2, 3}));
    Dataset set = ImageFolder.open(folder).read("x", 4, MEMORY);
    int broken = set.pool().inputs().describe(0).contains("broken") ? 0 : 1;
    assertMessage("b/broken.jpg: not a readable image", () -> read(set.pool().inputs(), broken));
    byte[] jpeg = plain(BufferedImage.TYPE_INT_RGB, 0x336699, "jpg");
    write(Map.of("b/broken.jpg", java.util.Arrays.copyOf(jpeg, jpeg.length - 2)));
    assertMessage("b/broken.jpg: the file is truncated", () -> read(set.pool().inputs(), broken));
    byte[] cut = java.util.Arrays.copyOf(png(1), 50);
    write(Map.of("b/broken.jpg", cut));
    assertMessage("b/broken.jpg: cannot be decoded", () -> read(set.pool().inputs(), broken));
    Path noZip = Files.write(folder.resolve("no.zip"), new byte[] {1, 2, 3});
    assertMessage("no.zip", () -> ImageFolder.open(noZip));
  }

  private static void assertMessage(String expected, org.junit.jupiter.api.function.Executable e) {
    DataException failure = assertThrows(DataException.class, e);
    assertTrue(failure.getMessage().contains(expected), failure.getMessage());
  }

  @Test
  void readsRealPhotos() {
    Path file = SharedData.file("pacs-photo/pacs-photo-227-jpg.zip");
    Dataset set = ImageFolder.open(file).read("photos", 32, 8 << 20);
    assertEquals(
        List.of("dog", "elephant", "giraffe", "guitar", "horse", "house", "person"),
        set.classNames());
    assertEquals(1670, set.pool().size() + set.test().size());
    float[] values = read(set.pool().inputs(), 0);
    assertTrue(IntStream.range(0, values.length).anyMatch(i -> values[i] > 50));
  }
}
