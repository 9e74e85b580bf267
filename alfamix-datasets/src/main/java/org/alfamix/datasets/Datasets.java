package org.alfamix.datasets;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.alfamix.datasets.Dataset.Part;
import org.alfamix.datasets.DatasetEntry.Form;
import org.alfamix.datasets.DatasetEntry.Location;
import org.alfamix.datasets.PokerHands.Values;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;

/**
 * The data sets that have a name: those of the paper, and some that stand in for them. Each is one
 * entry in this list.
 */
public final class Datasets {
  private static final String RESEARCH = "no licence stated; published for research";

  /** Where the paper takes a part of a larger set. */
  private static final int PAPERS_POOL = 50_000;

  private static final List<DatasetEntry> IMAGES_AND_TABLES =
      List.of(
          new DatasetEntry(
              "letter",
              "printed letters as 16 numbers",
              26,
              18_000,
              2_000,
              "CC BY 4.0",
              "P. W. Frey, D. J. Slate, \"Letter recognition using Holland-style adaptive"
                  + " classifiers\", Machine Learning 6, 1991 (UCI; OpenML 6)",
              List.of(builtIn("in alfamix's jar", folder -> letter()))),
          new DatasetEntry(
              "digits",
              "handwritten digits, 8 x 8 grey",
              10,
              1_618,
              179,
              "CC BY 4.0",
              "E. Alpaydin, C. Kaynak, \"Optical recognition of handwritten digits\", 1998 (UCI,"
                  + " its test part)",
              List.of(builtIn("in alfamix's jar", folder -> digits()))),
          new DatasetEntry(
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
          sortedPoker("poker-sorted", "distinct poker hands, cards sorted", Values.SCALED),
          sortedPoker(
              "poker-sorted-integers", "poker-sorted, suits 1-4 and ranks 1-13", Values.INTEGERS),
          sortedPoker(
              "poker-sorted-cast",
              "poker-sorted, values cut off to 0 or 1",
              Values.SCALED_AND_CAST),
          new DatasetEntry(
              "poker-openml",
              "the poker hands of OpenML 155",
              10,
              50_000,
              DatasetEntry.UNKNOWN,
              "public",
              "R. Cattral, F. Oppacher, \"Poker hand\", 2007 (UCI; OpenML 155)",
              List.of(
                  byHand(
                      List.of("pokerhand-normalized.arff"),
                      List.of(),
                      "OpenML's page",
                      folder -> poker(folder.resolve("pokerhand-normalized.arff"))))),
          new DatasetEntry(
              "mnist",
              "handwritten digits, 28 x 28 grey",
              10,
              50_000,
              10_000,
              "CC BY-SA 3.0",
              "Y. LeCun, L. Bottou, Y. Bengio, P. Haffner, \"Gradient-based learning applied to"
                  + " document recognition\", Proc. IEEE 86, 1998",
              List.of(IdxForms.mnist())),
          new DatasetEntry(
              "fashion-mnist",
              "pieces of clothing, 28 x 28 grey",
              10,
              60_000,
              10_000,
              "MIT",
              "H. Xiao, K. Rasul, R. Vollgraf, \"Fashion-MNIST: a novel image dataset for"
                  + " benchmarking machine learning algorithms\", arXiv:1708.07747, 2017",
              List.of(IdxForms.fashionMnist())),
          new DatasetEntry(
              "emnist",
              "handwritten letters, 28 x 28 grey",
              26,
              124_800,
              20_800,
              "public domain (NIST)",
              "G. Cohen, S. Afshar, J. Tapson, A. van Schaik, \"EMNIST: extending MNIST to"
                  + " handwritten letters\", IJCNN 2017",
              List.of(IdxForms.emnist())),
          new DatasetEntry(
              "emnist-a-to-l",
              "the letters A to L of emnist's test file",
              12,
              8_000,
              1_600,
              "public domain (NIST)",
              "as emnist",
              List.of(IdxForms.emnistAToL(1_600))),
          new DatasetEntry(
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
          new DatasetEntry(
              "cifar10",
              "photos, 32 x 32 colour",
              10,
              50_000,
              10_000,
              RESEARCH,
              "A. Krizhevsky, \"Learning multiple layers of features from tiny images\", 2009",
              List.of(CifarForms.cifar10Pngs(), CifarForms.cifar10Binary())),
          new DatasetEntry(
              "cifar100",
              "photos, 32 x 32 colour",
              100,
              50_000,
              10_000,
              RESEARCH,
              "A. Krizhevsky, \"Learning multiple layers of features from tiny images\", 2009",
              List.of(CifarForms.cifar100())),
          new DatasetEntry(
              "svhn",
              "house numbers, 32 x 32 colour",
              10,
              50_000,
              26_032,
              "non-commercial use only",
              "Y. Netzer et al., \"Reading digits in natural images with unsupervised feature"
                  + " learning\", NIPS workshop, 2011",
              List.of(svhn())),
          new DatasetEntry(
              "svhn-cropped",
              "house numbers, cropped for alfamix",
              10,
              50_000,
              26_032,
              "non-commercial use only",
              "as svhn; not byte for byte its cropped digits",
              List.of(svhnCropped())),
          miniImageNet("mini-imagenet", 84),
          miniImageNet("mini-imagenet-224", 224),
          new DatasetEntry(
              "domainnet-real",
              "photos of many sizes",
              345,
              122_563,
              52_764,
              "fair use notice; research only",
              "X. Peng et al., \"Moment matching for multi-source domain adaptation\", ICCV 2019",
              domainNet("domainnet-real", List.of())),
          new DatasetEntry(
              "domainnet-real-10",
              "ten classes of domainnet-real",
              10,
              4_673,
              DatasetEntry.UNKNOWN,
              "fair use notice; research only",
              "as domainnet-real",
              domainNet("domainnet-real-10", DomainNet.TEN)),
          new DatasetEntry(
              "domainnet-real-20",
              "twenty classes of domainnet-real",
              20,
              8_615,
              DatasetEntry.UNKNOWN,
              "fair use notice; research only",
              "as domainnet-real",
              domainNet("domainnet-real-20", DomainNet.TWENTY)),
          new DatasetEntry(
              "pacs-photo",
              "photos, 227 x 227 colour",
              7,
              1_503,
              167,
              RESEARCH,
              "D. Li, Y. Yang, Y.-Z. Song, T. M. Hospedales, \"Deeper, broader and artier domain"
                  + " generalization\" (PACS), ICCV 2017",
              List.of(
                  new Form(
                      List.of(
                          new DataFile(
                              "pacs-photo-227-jpg.zip",
                              41_834_936,
                              "68e933f059e772200f5bac2d031b6d881210b278b374efd1b9b51b2febc3c39d")),
                      List.of(),
                      List.of(new Source.ByHand("its authors' pages")),
                      folder ->
                          ImageFolder.open(folder.resolve("pacs-photo-227-jpg.zip"))
                              .read("pacs-photo", 224, ImageFolder.usualMemory())))));

  private static final List<DatasetEntry> VIDEOS = VideoSets.all();

  private static final List<DatasetEntry> ALL =
      Stream.concat(IMAGES_AND_TABLES.stream(), VIDEOS.stream()).toList();

  private Datasets() {}

  /** All of them, in the order in which people will want to see them. */
  public static List<DatasetEntry> all() {
    return ALL;
  }

  /** Returns whether the items of a set are videos. */
  public static boolean hasVideos(DatasetEntry entry) {
    return VIDEOS.contains(entry);
  }

  /** The entry of this name. */
  public static Optional<DatasetEntry> named(String name) {
    return ALL.stream().filter(entry -> entry.name().equals(name)).findFirst();
  }

  /**
   * Reads a set by its name.
   *
   * @param dataFolder where sets are kept; what is built in or installed needs none of it
   * @throws DataException where there is no such set, or its files are not there
   */
  public static Dataset open(String name, Path dataFolder) {
    DatasetEntry entry =
        named(name).orElseThrow(() -> new DataException("There is no data set '" + name + "'."));
    return read(
        entry,
        entry
            .find(dataFolder)
            .orElseThrow(
                () -> new DataException(name + " is not in " + dataFolder + "; fetch it first.")));
  }

  /** Reads a set whose files were found; each is checked first. */
  public static Dataset read(DatasetEntry entry, Location location) {
    if (location.form().reader() == null) {
      throw new DataException(entry.name() + ": this version cannot read it yet.");
    }
    try {
      location.verify();
    } catch (DataException e) {
      throw new DataException(
          e.getMessage()
              + (entry.isByHand()
                  ? " Put the right file there by hand."
                  : " 'alfamix data fetch " + entry.name() + "' brings it in again."),
          e);
    }
    try {
      return location.form().reader().read(location.folder());
    } catch (InvalidRequestException e) {
      throw new DataException(entry.name() + ": " + e.getMessage(), e);
    }
  }

  private static Form builtIn(String where, DatasetEntry.Reader reader) {
    return new Form(List.of(), List.of(), List.of(new Source.BuiltIn(where)), reader);
  }

  private static Form byHand(
      List<String> files, List<String> subfolders, String where, DatasetEntry.Reader reader) {
    return new Form(
        files.stream().map(file -> new DataFile(file, DataFile.UNKNOWN, null)).toList(),
        subfolders,
        List.of(new Source.ByHand(where)),
        reader);
  }

  /** The same files at both sizes. */
  private static DatasetEntry miniImageNet(String name, int side) {
    String zip = "mini-imagenet.zip";
    return new DatasetEntry(
        name,
        "photos, brought to %d x %d".formatted(side, side),
        100,
        48_000,
        12_000,
        "ImageNet's terms: non-commercial research",
        "O. Vinyals et al., \"Matching networks for one shot learning\", NIPS 2016",
        List.of(
            byHand(
                List.of(zip),
                List.of("../mini-imagenet"),
                "made from ImageNet, which asks for an account",
                folder -> MiniImageNet.read(name, folder.resolve(zip), side))));
  }

  /** The lists, and the photos as they come or unpacked; subsets find them with the whole set. */
  private static List<Form> domainNet(String name, List<String> classes) {
    String train = "real_train.txt";
    String test = "real_test.txt";
    List<String> whole = classes.isEmpty() ? List.of() : List.of("../domainnet-real");
    String where = "the publisher's page";
    return List.of(
        byHand(
            List.of("real.zip", train, test),
            whole,
            where,
            folder ->
                DomainNet.read(
                    name,
                    folder.resolve("real.zip"),
                    folder.resolve(train),
                    folder.resolve(test),
                    classes)),
        byHand(
            List.of(train, test),
            whole,
            where,
            folder ->
                DomainNet.read(
                    name, folder, folder.resolve(train), folder.resolve(test), classes)));
  }

  /** A tenth to test on, as the paper splits such tables, and its pool out of the others. */
  private static Dataset poker(Path file) {
    Arff.Rows rows = Arff.read(file);
    Scaling raw = Scaling.none(rows.part().inputs().shape());
    Dataset all =
        Dataset.split("poker-openml", rows.classNames(), rows.part(), rows.part().size() / 10, raw);
    return all.pool().size() > PAPERS_POOL ? all.withPool(PAPERS_POOL) : all;
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

  private static DatasetEntry sortedPoker(String name, String items, Values values) {
    return new DatasetEntry(
        name,
        items,
        10,
        50_000,
        10_000,
        "no licence needed: dealt here",
        "after OpenML 155; see A. Bifet, G. Holmes, B. Pfahringer, \"Leveraging bagging for"
            + " evolving data streams\", ECML PKDD 2010",
        List.of(
            builtIn(
                "dealt, sorted and named by the rules",
                folder -> PokerHands.dealSorted(name, 50_000, 10_000, values))));
  }

  private static Form svhnCropped() {
    List<DataFile> files = new ArrayList<>();
    files.add(
        new DataFile(
            "train-labels.txt",
            73_257,
            "656f768cb85ff77bbb3b493cdb3dfe1e6ddaf7a8faf06be9bf1ecab76c50a3b2"));
    files.add(
        new DataFile(
            "test-labels.txt",
            26_032,
            "f6476934fb452fdb83a23b76b35ab1c40ae392705a848b306c8b3e26e1489a7b"));
    files.addAll(SvhnSheets.sheets());
    return new Form(
        files,
        List.of(),
        List.of(new Source.ByHand("cut out of the publisher's train.tar.gz and test.tar.gz")),
        folder -> SvhnSheets.read("svhn-cropped", folder, PAPERS_POOL));
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
        folder ->
            Svhn.read(
                folder.resolve("train_32x32.mat"), folder.resolve("test_32x32.mat"), PAPERS_POOL));
  }
}
