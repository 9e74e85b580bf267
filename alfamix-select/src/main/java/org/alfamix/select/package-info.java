/**
 * Selection from files: the library behind {@code alfamix select}.
 *
 * <pre>{@code
 * Pool files = PoolReader.standard().read("pool.npy");
 * Batch batch =
 *     Query.of(files)
 *         .labels(Labels.read(Path.of("labels.csv"), files, null, null))
 *         .strategy("alfamix", Map.of())
 *         .budget(100)
 *         .run();
 * BatchWriter.standard().write(batch, BatchFormat.CSV, Path.of("picks.csv"));
 * }</pre>
 *
 * @since 0.1
 */
package org.alfamix.select;
