/**
 * Data sets for training and selection: the items as inputs of networks, the sources of named data
 * sets, and readers of their files.
 */
package org.alfamix.datasets;
