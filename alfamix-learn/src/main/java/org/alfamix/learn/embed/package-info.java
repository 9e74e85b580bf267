/**
 * Features of images and videos from a pre-trained network. They are computed once, cached on disk,
 * and used as inputs of learners.
 *
 * <pre>{@code
 * Dataset features =
 *     new BackboneDatasetReader(folder, BackboneDatasetReader.Listener.SILENT, "auto")
 *         .read("photos", Map.of("backbone", "resnet18-imagenet"));
 * }</pre>
 *
 * @since 0.1
 */
package org.alfamix.learn.embed;
