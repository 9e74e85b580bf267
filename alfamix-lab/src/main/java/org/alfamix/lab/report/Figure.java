package org.alfamix.lab.report;

/**
 * A drawing with what it was drawn from.
 *
 * @param caption what to see in it
 * @param readable whether its data are a table for people, too: a matrix is, a thousand points are
 *     not
 */
record Figure(String svg, String caption, DataTable data, boolean readable) {

  Figure(String svg, String caption, DataTable data) {
    this(svg, caption, data, false);
  }
}
