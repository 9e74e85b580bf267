/** Weights that others have trained and published: what they are, and where they may be had. */
package org.alfamix.learn.weights;
