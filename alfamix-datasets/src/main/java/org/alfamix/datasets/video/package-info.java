/**
 * Videos: which of their frames are read, and the engine that decodes them.
 *
 * <pre>{@code
 * Video video = VideoEngine.find().open(folder.resolve("clip.mp4"));
 * System.out.println(video.frames() + " frames");
 * }</pre>
 *
 * @since 0.1
 */
package org.alfamix.datasets.video;
