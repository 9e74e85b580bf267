package org.alfamix.datasets;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A named data set: its contents, licence and citation, and the sources of its files.
 *
 * @param items a description of the items
 * @param pool size of the pool in the paper, or of ours if the paper does not use the data set
 * @param test number of test items, or {@link #UNKNOWN}
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
  /** A number that the paper does not state. */
  public static final int UNKNOWN = -1;

  /**
   * A form in which the data set is distributed.
   *
   * @param files the required files; empty for built-in data
   * @param subfolders further folders to search, relative to that of the data set: those that
   *     archives create
   * @param sources the sources, each of which may have all files or some of them
   * @param reader the reader; null if this version cannot read the form
   */
  public record Form(
      List<DataFile> files, List<String> subfolders, List<Source> sources, Reader reader) {

    public Form {
      files = List.copyOf(files);
      subfolders = List.copyOf(subfolders);
      sources = List.copyOf(sources);
    }
  }

  /** Reads a data set from the folder of its files. */
  @FunctionalInterface
  public interface Reader {
    Dataset read(Path folder);
  }

  /**
   * The location of a data set.
   *
   * @param folder the folder of its files; null for built-in data
   */
  public record Location(Form form, Path folder) {

    /** Checks the size and checksum of every file. */
    public void verify() {
      for (DataFile file : form.files()) {
        file.verify(file.in(folder).orElseThrow());
      }
    }

    /** Deletes the files whose size or checksum is wrong. */
    public void deleteInvalid() {
      for (DataFile file : form.files()) {
        Path path = file.in(folder).orElseThrow();
        if (!file.matches(path)) {
          try {
            Files.delete(path);
          } catch (IOException e) {
            throw new UncheckedIOException(
                path + ": cannot be deleted: " + e.getMessage() + ".", e);
          }
        }
      }
    }
  }

  public DatasetEntry {
    forms = List.copyOf(forms);
  }

  /** Returns whether this version can read the files. */
  public boolean isReadable() {
    return forms.stream().anyMatch(form -> form.reader() != null);
  }
}
