/** Internal: k-means, its seeding and coverings. */
package org.alfamix.cluster;
