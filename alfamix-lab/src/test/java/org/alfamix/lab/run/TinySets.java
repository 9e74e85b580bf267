package org.alfamix.lab.run;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.imageio.ImageIO;
import org.alfamix.datasets.Cifar;
import org.alfamix.datasets.Dataset;
import org.alfamix.datasets.Dataset.Part;
import org.alfamix.datasets.Datasets;
import org.alfamix.datasets.DomainNet;
import org.alfamix.datasets.Idx;
import org.alfamix.datasets.Scaling;
import org.alfamix.datasets.Svhn;
import org.alfamix.video.TinyVideos;

/** Small synthetic versions of the paper's data sets, in the formats of their publishers. */
final class TinySets {
  private static final int POOL = 24;
  private static final int TEST = 8;

  private final Path folder;

  TinySets(Path folder) {
    this.folder = folder;
  }

  Dataset read(String name) {
    try {
      return switch (name) {
        case "mnist" -> idx(name, 10, 0, false);
        case "emnist" -> idx(name, 26, 1, true);
        case "cifar10" -> cifar(name, 1, 10);
        case "cifar100" -> cifar(name, 2, 100);
        case "svhn" -> {
          Path file = Path.of(TinySets.class.getResource("svhn.mat").toURI());
          yield Svhn.read(file, file, POOL);
        }
        case "mini-imagenet" -> {
          miniImageNet();
          yield Datasets.open(name, folder);
        }
        case "domainnet-real", "domainnet-real-10", "domainnet-real-20" -> {
          domainNet();
          yield Datasets.open(name, folder);
        }
        case "hmdb51" -> {
          hmdb();
          yield Datasets.open(name, folder);
        }
        case "poker-openml" -> {
          poker();
          yield Datasets.open(name, folder);
        }
        default -> Datasets.open(name, folder);
      };
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> numbered(int classes) {
    return IntStream.range(0, classes).mapToObj(k -> "class " + k).toList();
  }

  private Dataset idx(String name, int classes, int first, boolean transposed) throws IOException {
    Part[] parts = new Part[2];
    for (int p = 0; p < 2; p++) {
      int count = p == 0 ? POOL : TEST;
      Path images = folder.resolve(name + p + "-images");
      Path labels = folder.resolve(name + p + "-labels");
      try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(images))) {
        for (int word : new int[] {0x0803, count, 28, 28}) {
          out.writeInt(word);
        }
        out.write(pixels(count, 28 * 28));
      }
      try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(labels))) {
        out.writeInt(0x0801);
        out.writeInt(count);
        for (int i = 0; i < count; i++) {
          out.writeByte(first + i % 4);
        }
      }
      parts[p] = new Part(Idx.images(images, transposed), Idx.labels(labels, first, classes));
    }
    Scaling scaling = Scaling.pixels(new double[] {0.13}, new double[] {0.31});
    return new Dataset(name, numbered(classes), parts[0], parts[1], scaling);
  }

  /** Returns images whose brightness depends on the class. */
  private static byte[] pixels(int count, int length) {
    byte[] pixels = new byte[count * length];
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = (byte) (i / length % 4 * 60 + i % 7);
    }
    return pixels;
  }

  private Dataset cifar(String name, int labelBytes, int classes) throws IOException {
    Part[] parts = new Part[2];
    for (int p = 0; p < 2; p++) {
      int count = p == 0 ? POOL : TEST;
      byte[] pixels = pixels(count, 3072);
      Path file = folder.resolve(name + p + ".bin");
      try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(file))) {
        for (int i = 0; i < count; i++) {
          for (int b = 0; b < labelBytes; b++) {
            out.writeByte(i % 4);
          }
          out.write(pixels, i * 3072, 3072);
        }
      }
      parts[p] = Cifar.binary(List.of(file), labelBytes, classes);
    }
    double[] half = {0.5, 0.5, 0.5};
    return new Dataset(name, numbered(classes), parts[0], parts[1], Scaling.pixels(half, half));
  }

  private static byte[] jpeg(int brightness) throws IOException {
    BufferedImage image = new BufferedImage(24, 24, BufferedImage.TYPE_INT_RGB);
    int rgb = new Color(brightness, 255 - brightness, brightness / 2).getRGB();
    for (int i = 0; i < 24 * 24; i++) {
      image.setRGB(i % 24, i / 24, rgb);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ImageIO.write(image, "jpg", out);
    return out.toByteArray();
  }

  private static void zip(Path file, Map<String, byte[]> members) throws IOException {
    Files.createDirectories(file.getParent());
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      for (Map.Entry<String, byte[]> member : members.entrySet()) {
        zip.putNextEntry(new ZipEntry(member.getKey()));
        zip.write(member.getValue());
      }
    }
  }

  private void miniImageNet() throws IOException {
    Map<String, byte[]> members = new LinkedHashMap<>();
    for (int k = 0; k < 4; k++) {
      for (int i = 0; i < 8; i++) {
        members.put("n0%d/%d.jpg".formatted(k, i), jpeg(60 * k + i));
      }
    }
    zip(folder.resolve("mini-imagenet").resolve("mini-imagenet.zip"), members);
  }

  private void domainNet() throws IOException {
    Path own = folder.resolve("domainnet-real");
    if (Files.exists(own)) {
      return;
    }
    Map<String, byte[]> members = new LinkedHashMap<>();
    List<String> train = new ArrayList<>();
    List<String> test = new ArrayList<>();
    List<String> names = DomainNet.TWENTY.stream().sorted().toList();
    for (int k = 0; k < names.size(); k++) {
      // Few images, because the paper's networks are slow: two of the ten classes, one of the
      // others.
      boolean ofTen = DomainNet.TEN.contains(names.get(k));
      for (int i = 1; i <= 3; i++) {
        String path = "real/%s/real_%03d_%06d.jpg".formatted(names.get(k), k, i);
        members.put(path, jpeg(12 * k + i));
        if (i == 1 || i == 2 && ofTen) {
          train.add(path + " " + k);
        } else if (i == 3 && k % 4 == 0) {
          test.add(path + " " + k);
        }
      }
    }
    zip(own.resolve("real.zip"), members);
    Files.write(own.resolve("real_train.txt"), train);
    Files.write(own.resolve("real_test.txt"), test);
  }

  /** AVI files in a folder per class, as unpacked from the publisher's archives. */
  private void hmdb() throws IOException {
    Path own = folder.resolve("hmdb51");
    if (Files.exists(own)) {
      return;
    }
    for (String name : List.of("brush_hair", "run", "walk", "wave")) {
      for (int i = 0; i < 10; i++) {
        String clip = "Film%d_%s_u_nm_np1_fr_goo_%d.avi".formatted(i / 2, name, i % 2);
        Color colour = new Color(name.hashCode() & 0x7f7f7f);
        TinyVideos.avi(own.resolve("hmdb51_org").resolve(name).resolve(clip), 30 + 10 * i, colour);
      }
    }
  }

  private void poker() throws IOException {
    StringBuilder text = new StringBuilder("@relation poker\n");
    for (int d = 0; d < 10; d++) {
      text.append("@attribute a").append(d).append(" numeric\n");
    }
    text.append("@attribute class {0,1,2,3,4,5,6,7,8,9}\n@data\n");
    for (int i = 0; i < POOL + TEST; i++) {
      for (int d = 0; d < 10; d++) {
        text.append((i * 7 + d * 3) % 13).append(',');
      }
      text.append(i % 4).append('\n');
    }
    Path own = Files.createDirectories(folder.resolve("poker-openml"));
    Files.writeString(own.resolve("pokerhand-normalized.arff"), text);
  }
}
