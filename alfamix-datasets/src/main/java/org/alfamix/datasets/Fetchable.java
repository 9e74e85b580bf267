package org.alfamix.datasets;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.alfamix.datasets.DatasetEntry.Form;
import org.alfamix.datasets.DatasetEntry.Location;

/** A named item, such as a data set, whose files exist locally or can be fetched. */
public interface Fetchable {

  String name();

  /** Returns the forms in which it is distributed; the first one found is used. */
  List<Form> forms();

  /** Returns the folder of its files. */
  default Path folder(Path dataFolder) {
    return dataFolder.resolve(name());
  }

  /** Returns whether it is part of alfamix. */
  default boolean isBuiltIn() {
    return forms().get(0).files().isEmpty();
  }

  /**
   * Returns whether files without a published checksum are compared with their digest at first use
   * each time. Suitable for small files that affect results.
   */
  default boolean pinsDigests() {
    return false;
  }

  /** Returns whether it can only be added by hand. */
  default boolean isByHand() {
    return forms().stream()
        .flatMap(form -> form.sources().stream())
        .allMatch(Source.ByHand.class::isInstance);
  }

  /**
   * Returns whether no package registry has it: it must be added by hand, or downloaded from its
   * publisher, whose server may not respond.
   */
  default boolean isOnlyFromPublisher() {
    return forms().stream()
        .flatMap(form -> form.sources().stream())
        .allMatch(source -> source instanceof Source.Address || source instanceof Source.ByHand);
  }

  /** Finds existing files: in the data folder, then in the folders of installed packages. */
  default Optional<Location> find(Path dataFolder) {
    if (isBuiltIn()) {
      return Optional.of(new Location(forms().get(0), null));
    }
    Path own = folder(dataFolder);
    for (Form form : forms()) {
      if (hasAll(form, own)) {
        return Optional.of(new Location(form, own));
      }
      for (String subfolder : form.subfolders()) {
        Path other = own.resolve(subfolder).normalize();
        if (hasAll(form, other)) {
          return Optional.of(new Location(form, other));
        }
      }
    }
    for (Form form : forms()) {
      for (Source source : form.sources()) {
        if (source instanceof Source.DebianPackage debian && hasAll(form, debian.folder())) {
          return Optional.of(new Location(form, debian.folder()));
        }
      }
    }
    return Optional.empty();
  }

  /** Returns the first missing file if only some of the files exist. */
  default Optional<String> missingFile(Path dataFolder) {
    Path own = folder(dataFolder);
    return forms().stream()
        .filter(form -> form.files().stream().anyMatch(file -> file.in(own).isPresent()))
        .flatMap(form -> form.files().stream())
        .filter(file -> file.in(own).isEmpty())
        .map(DataFile::name)
        .findFirst();
  }

  private static boolean hasAll(Form form, Path folder) {
    return form.files().stream().allMatch(file -> file.in(folder).isPresent());
  }
}
