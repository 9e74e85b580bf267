/** Published weights of pre-trained networks, and their sources. */
package org.alfamix.learn.weights;
