/**
 * Explanations: why an item was selected, or not.
 *
 * <pre>{@code
 * Inspection inspection = new Inspector(snapshot).inspect(pool.row(0));
 * System.out.println(snapshot.className(inspection.predicted()));
 * }</pre>
 *
 * @since 0.1
 */
package org.alfamix.inspect;
