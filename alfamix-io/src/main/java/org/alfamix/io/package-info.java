/**
 * Files that appear only when they are complete, and their digests.
 *
 * <pre>{@code
 * AtomicFile.write(folder.resolve("picks.txt"), out -> out.write("12".getBytes()));
 * System.out.println(Digest.of(folder.resolve("picks.txt")).sha256());
 * }</pre>
 *
 * @since 0.1
 */
package org.alfamix.io;
