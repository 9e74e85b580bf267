package org.alfamix.datasets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.imageio.ImageIO;
import org.alfamix.io.DataException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads small files in the formats of the publishers: DomainNet, mini-ImageNet, OpenML poker. */
class PublishersFilesTest {
  @TempDir Path folder;

  private static byte[] jpeg(int grey) throws IOException {
    BufferedImage image = new BufferedImage(30, 20, BufferedImage.TYPE_INT_RGB);
    for (int i = 0; i < 600; i++) {
      image.setRGB(i % 30, i / 30, new Color(grey, grey, grey).getRGB());
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ImageIO.write(image, "jpg", out);
    return out.toByteArray();
  }

  private static Path zip(Path file, Map<String, byte[]> members) throws IOException {
    Files.createDirectories(file.getParent());
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      for (Map.Entry<String, byte[]> member : members.entrySet()) {
        zip.putNextEntry(new ZipEntry(member.getKey()));
        zip.write(member.getValue());
      }
    }
    return file;
  }

  /** Writes 21 classes with three images each; the subsets have 10 and 20 of the classes. */
  private Path domainNet() throws IOException {
    List<String> names =
        Stream.concat(DomainNet.TWENTY.stream(), Stream.of("zoo")).sorted().toList();
    Map<String, byte[]> members = new LinkedHashMap<>();
    StringBuilder train = new StringBuilder();
    StringBuilder test = new StringBuilder();
    for (int k = 0; k < names.size(); k++) {
      for (int i = 1; i <= 3; i++) {
        String path = "real/%s/real_%03d_%06d.jpg".formatted(names.get(k), k, i);
        members.put(path, jpeg(10 * k));
        (i < 3 ? train : test).append(path).append(' ').append(k).append('\n');
      }
    }
    Path own = folder.resolve("domainnet-real");
    zip(own.resolve("real.zip"), members);
    Files.writeString(own.resolve("real_train.txt"), train);
    Files.writeString(own.resolve("real_test.txt"), test);
    return own;
  }

  @Test
  void readsDomainNetAndItsSubsets() throws IOException {
    domainNet();
    Dataset all = Datasets.open("domainnet-real", folder);
    assertEquals(21, all.classes());
    assertEquals(42, all.pool().size());
    assertEquals(21, all.test().size());
    assertEquals(InputShape.image(3, 224, 224), all.shape());
    Dataset ten = Datasets.open("domainnet-real-10", folder);
    assertEquals(DomainNet.TEN, ten.classNames());
    assertEquals(20, ten.pool().size());
    assertEquals(10, ten.test().size());
    assertEquals(40, Datasets.open("domainnet-real-20", folder).pool().size());
    // The tenth class of the subset has another number in the whole data set.
    int zebra = all.classNames().indexOf("zebra");
    float[] pixels = new float[3 * 224 * 224];
    ten.test().inputs().read(9, pixels, 0);
    assertEquals(10 * zebra, pixels[0], 2);
    assertEquals("real/zebra/real_019_000003.jpg", ten.test().inputs().id(9));
  }

  @Test
  void readsUnpackedDomainNet() throws IOException {
    Path own = domainNet();
    Dataset packed = Datasets.open("domainnet-real", folder);
    Files.delete(own.resolve("real.zip"));
    for (int i = 0; i < packed.pool().size(); i++) {
      Path image = own.resolve(packed.pool().inputs().id(i));
      Files.createDirectories(image.getParent());
      Files.write(image, jpeg(5));
    }
    Path test = own.resolve("real_test.txt");
    Files.writeString(test, "real/bat/real_000_000001.jpg 0\n");
    assertEquals(1, Datasets.open("domainnet-real", folder).test().size());
    Files.writeString(test, "real/bat/real_000_000001.jpg 0\nreal/bat/none.jpg 0\n");
    assertEquals(
        "%s, line 2: real/bat/none.jpg does not exist in %s.".formatted(test, own),
        assertThrows(DataException.class, () -> Datasets.open("domainnet-real", folder))
            .getMessage());
    Files.writeString(test, "real/bat/real_000_000001.jpg\n");
    assertTrue(
        assertThrows(DataException.class, () -> Datasets.open("domainnet-real", folder))
            .getMessage()
            .endsWith(
                "line 1: expected the path of an image and its class number, found"
                    + " 'real/bat/real_000_000001.jpg'."));
    Files.writeString(test, "real/bat/real_000_000001.jpg 4\n");
    assertTrue(
        assertThrows(DataException.class, () -> Datasets.open("domainnet-real", folder))
            .getMessage()
            .contains("class 4 is 'bat', but 'bench' in an earlier line"));
  }

  @Test
  void readsMiniImageNetWithTables() throws IOException {
    Map<String, byte[]> members = new LinkedHashMap<>();
    Map<String, StringBuilder> tables = new LinkedHashMap<>();
    List<String> splits = List.of("train", "val", "test");
    for (int k = 0; k < 6; k++) {
      String name = "n0%d".formatted(k);
      StringBuilder table =
          tables.computeIfAbsent(splits.get(k % 3), key -> new StringBuilder("filename,label\n"));
      for (int i = 0; i < 10; i++) {
        String image = "%s%08d.jpg".formatted(name, i);
        members.put("mini/images/" + image, jpeg(40 * k));
        table.append(image).append(',').append(name).append('\n');
      }
    }
    tables.forEach(
        (split, text) ->
            members.put(
                "mini/" + split + ".csv", text.toString().getBytes(StandardCharsets.UTF_8)));
    zip(folder.resolve("mini-imagenet").resolve("mini-imagenet.zip"), members);
    assertEquals(InputShape.image(3, 224, 224), Datasets.open("mini-imagenet-224", folder).shape());
    Dataset data = Datasets.open("mini-imagenet", folder);
    assertEquals(InputShape.image(3, 84, 84), data.shape());
    assertEquals(List.of("n00", "n01", "n02", "n03", "n04", "n05"), data.classNames());
    assertEquals(48, data.pool().size());
    assertEquals(12, data.test().size());
    Set<String> seen = new HashSet<>();
    for (Dataset.Part part : List.of(data.pool(), data.test())) {
      for (int i = 0; i < part.size(); i++) {
        String id = part.inputs().id(i);
        assertTrue(seen.add(id), id);
        assertTrue(id.contains("/n0" + part.labels()[i]), id);
      }
    }
    members.put("mini/val.csv", "filename,label\nnone.jpg,n01\n".getBytes(StandardCharsets.UTF_8));
    Path broken = zip(folder.resolve("b").resolve("mini-imagenet.zip"), members);
    assertEquals(
        broken
            + ", val.csv, line 2: expected the name of an existing image and its class, found"
            + " 'none.jpg,n01'.",
        assertThrows(DataException.class, () -> MiniImageNet.read("mini-imagenet", broken, 84))
            .getMessage());
  }

  @Test
  void readsMiniImageNetInFolders() throws IOException {
    Map<String, byte[]> members = new LinkedHashMap<>();
    for (int i = 0; i < 10; i++) {
      members.put("n01/%d.jpg".formatted(i), jpeg(i));
      members.put("n02/%d.jpg".formatted(i), jpeg(i));
    }
    Dataset data = MiniImageNet.read("m", zip(folder.resolve("m").resolve("m.zip"), members), 84);
    assertEquals(16, data.pool().size());
    assertEquals(2, IntStream.of(data.test().labels()).filter(label -> label == 1).count());
  }

  @Test
  void readsPokerHandsOfOpenMl() throws IOException {
    Path own = Files.createDirectories(folder.resolve("poker-openml"));
    Path file = own.resolve("pokerhand-normalized.arff");
    StringBuilder text = new StringBuilder("% a comment\n@RELATION poker\n\n");
    for (int d = 1; d <= 5; d++) {
      text.append("@ATTRIBUTE s%d {1,2,3,4}\n@ATTRIBUTE 'c %d' NUMERIC\n".formatted(d, d));
    }
    text.append("@ATTRIBUTE class {0,1,2,3,4,5,6,7,8,9}\n@DATA\n");
    for (int i = 0; i < 40; i++) {
      text.append("1,%f,2,0.5,3,-1,4,0,1,%d,%d\n".formatted(i / 40.0, i, i % 10));
    }
    Files.writeString(file, text);
    Dataset data = Datasets.open("poker-openml", folder);
    assertEquals(10, data.classes());
    assertEquals(36, data.pool().size());
    assertEquals(4, data.test().size());
    assertEquals(InputShape.table(10), data.shape());
    Files.writeString(file, text + "1,2\n");
    assertEquals(
        file + ", line 56: expected 11 values, found 2.",
        assertThrows(DataException.class, () -> Datasets.open("poker-openml", folder))
            .getMessage());
    Files.writeString(file, text + "1,x,2,0.5,3,-1,4,0,1,5,3\n");
    assertEquals(
        file + ", line 56: expected a number in column 2, found 'x'.",
        assertThrows(DataException.class, () -> Datasets.open("poker-openml", folder))
            .getMessage());
  }
}
