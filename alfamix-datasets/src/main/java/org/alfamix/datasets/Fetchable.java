package org.alfamix.datasets;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.alfamix.datasets.DatasetEntry.Form;
import org.alfamix.datasets.DatasetEntry.Location;

/** Something with a name whose files may be here already, or somewhere they can be had from. */
public interface Fetchable {

  String name();

  /** The forms in which it may come; the first that is found is taken. */
  List<Form> forms();

  /** Where its own files are kept. */
  default Path folder(Path dataFolder) {
    return dataFolder.resolve(name());
  }

  /** Whether alfamix brings it along. */
  default boolean isBuiltIn() {
    return forms().get(0).files().isEmpty();
  }

  /**
   * Returns whether files without a published checksum are compared with the digest of their first
   * use each time: for what decides about results and is not large.
   */
  default boolean pinsDigests() {
    return false;
  }

  /** Whether nobody but a person can bring it in. */
  default boolean isByHand() {
    return forms().stream()
        .flatMap(form -> form.sources().stream())
        .allMatch(Source.ByHand.class::isInstance);
  }

  /**
   * Returns whether only its publisher has it, at an address that may not answer, or a person has
   * to bring it in: no package registry carries it.
   */
  default boolean isFromPublisherAlone() {
    return forms().stream()
        .flatMap(form -> form.sources().stream())
        .allMatch(source -> source instanceof Source.Address || source instanceof Source.ByHand);
  }

  /** Looks where the files may be already: in the data folder, then where packages put them. */
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

  /** Where some files of a set are there, the first that is not. */
  default Optional<String> missing(Path dataFolder) {
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
