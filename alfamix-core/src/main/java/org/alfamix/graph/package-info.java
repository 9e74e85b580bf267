/** Internal: the similarity graph and its network, for {@code gcnal}. */
package org.alfamix.graph;
