/**
 * Published weights of pre-trained networks, and their sources.
 *
 * <pre>{@code
 * for (PublishedWeights weights : PublishedWeights.all()) {
 *   System.out.println(weights.name());
 * }
 * }</pre>
 *
 * @since 0.1
 */
package org.alfamix.learn.weights;
