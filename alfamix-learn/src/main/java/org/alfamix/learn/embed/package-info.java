/**
 * Features of images and videos from a pre-trained network. They are computed once, cached on disk,
 * and used as inputs of learners.
 */
package org.alfamix.learn.embed;
