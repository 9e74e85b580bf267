/**
 * Data sets for training and selection: the items as inputs of networks, the sources of named data
 * sets, and readers of their files.
 *
 * <pre>{@code
 * Dataset digits = Datasets.open("digits", folder);
 * System.out.println(digits.pool().size() + " items of " + digits.shape());
 * }</pre>
 *
 * @since 0.1
 */
package org.alfamix.datasets;
