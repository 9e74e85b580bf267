/** Projections of embeddings to two dimensions for plots. */
package org.alfamix.projection;
