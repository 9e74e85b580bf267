package org.alfamix.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A section of the report. */
record Section(String id, String title, String text, List<Part> parts) {

  /**
   * Figures and tables that belong together.
   *
   * @param title the heading; empty for none
   */
  record Part(String title, List<Figure> figures, List<DataTable> tables) {
    Part(String title) {
      this(title, new ArrayList<>(), new ArrayList<>());
    }

    boolean isEmpty() {
      return figures.isEmpty() && tables.isEmpty();
    }
  }

  Section(String id, String title, String text) {
    this(id, title, text, new ArrayList<>());
  }

  /** Adds a part unless it is empty. */
  Section add(Part part) {
    if (!part.isEmpty()) {
      parts.add(part);
    }
    return this;
  }

  Stream<Figure> figures() {
    return parts.stream().flatMap(part -> part.figures.stream());
  }

  /** Returns all tables, including the data of figures. */
  Stream<DataTable> tables() {
    return parts.stream()
        .flatMap(
            part -> Stream.concat(part.tables.stream(), part.figures.stream().map(Figure::data)));
  }

  /** Returns the tables for people. */
  Stream<DataTable> readableTables() {
    return parts.stream()
        .flatMap(
            part ->
                Stream.concat(
                    part.tables.stream(),
                    part.figures.stream().filter(Figure::readable).map(Figure::data)));
  }
}
