/**
 * Projections of embeddings to two dimensions for plots.
 *
 * <pre>{@code
 * double[][] points = Pca.plane(pool);
 * }</pre>
 *
 * @since 0.1
 */
package org.alfamix.projection;
