/**
 * Tables that are read row by row: CSV, JSON lines, and Parquet if {@code alfamix-tables} is
 * present.
 *
 * <pre>{@code
 * try (TableSource table = Tables.open(folder.resolve("labels.csv"))) {
 *   int label = table.requireColumn("label");
 *   while (table.next()) {
 *     System.out.println(table.place() + ": " + table.text(label));
 *   }
 * }
 * }</pre>
 *
 * @since 0.1
 */
package org.alfamix.io.table;
