package org.alfamix.lab.report;

import java.nio.file.Path;

public record Report(Results results) {
  public static Report of(Results results) {
    return new Report(results);
  }

  public void write(Path file) {}
}
