package org.alfamix.docs;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Builds the site: {@code SiteMain ROOT OUTPUT}. Maven calls it in the phase {@code package}. */
public final class SiteMain {
  private SiteMain() {}

  public static void main(String[] args) throws IOException {
    List<String> problems = new Site(Path.of(args[0])).write(Path.of(args[1]));
    if (!problems.isEmpty()) {
      throw new IllegalStateException(
          "The documentation has dead links or unlisted pages:\n  "
              + String.join("\n  ", problems));
    }
  }
}
