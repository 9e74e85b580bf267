/**
 * Features that stay as they are, made of images by a network that others have trained: computed
 * once, kept on disk, and read by whoever learns from them.
 */
package org.alfamix.learn.embed;
