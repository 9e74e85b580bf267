package org.alfamix.lab.report;

/**
 * A drawing with what it was drawn from.
 *
 * @param caption what to see in it
 */
record Figure(String svg, String caption, DataTable data) {}
