/**
 * Data sets to learn from: what an item looks like to a network, where the named sets come from,
 * and how their files are read.
 */
package org.alfamix.datasets;
