package org.alfamix.studio.web;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class LayoutTest {

  /** An update of htmx must only need a change in the build file. */
  @Test
  void findsAnyVersionOfHtmx() throws IOException {
    assertNotNull(Layout.class.getResource(Layout.HTMX), Layout.HTMX);
    String version = Layout.HTMX.replaceAll(".*/htmx.org/([^/]+)/.*", "$1");
    Path source = Path.of("src/main/java/org/alfamix/studio/web/Layout.java");
    assertFalse(Files.readString(source).contains(version), "the source contains the version");
  }
}
