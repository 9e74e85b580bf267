package org.alfamix.datasets;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A named data set: what it is, whose it is, and where its files may come from.
 *
 * @param items what the items are, in words
 * @param pool size of the pool in the paper, or of ours where the paper does not have the set
 * @param test number of items to test on, or {@link #UNKNOWN}
 */
public record DatasetEntry(
    String name,
    String items,
    int classes,
    int pool,
    int test,
    String licence,
    String citation,
    List<Form> forms)
    implements Fetchable {
  /** Of a number that the paper does not tell. */
  public static final int UNKNOWN = -1;

  /**
   * A form in which the set may come.
   *
   * @param files all must be there; none for what alfamix brings along
   * @param subfolders where else than in the set's folder the files may be: where archives put them
   * @param sources each may have all files, or some of them
   * @param reader null for what cannot be read yet
   */
  public record Form(
      List<DataFile> files, List<String> subfolders, List<Source> sources, Reader reader) {

    public Form {
      files = List.copyOf(files);
      subfolders = List.copyOf(subfolders);
      sources = List.copyOf(sources);
    }
  }

  /** Reads a set from the folder its files are in. */
  @FunctionalInterface
  public interface Reader {
    Dataset read(Path folder);
  }

  /**
   * Where a set was found.
   *
   * @param folder null for what alfamix brings along
   */
  public record Location(Form form, Path folder) {

    /** Checks every file against its size and checksum. */
    public void verify() {
      for (DataFile file : form.files()) {
        file.verify(file.in(folder).orElseThrow());
      }
    }

    /** Deletes the files that are not what they should be. */
    public void deleteWrong() {
      for (DataFile file : form.files()) {
        Path path = file.in(folder).orElseThrow();
        if (!file.matches(path)) {
          try {
            Files.delete(path);
          } catch (IOException e) {
            throw new UncheckedIOException(path + ": cannot be deleted: " + e.getMessage(), e);
          }
        }
      }
    }
  }

  public DatasetEntry {
    forms = List.copyOf(forms);
  }

  /** Whether this version can turn its files into a data set. */
  public boolean isReadable() {
    return forms.stream().anyMatch(form -> form.reader() != null);
  }
}
