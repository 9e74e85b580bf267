/**
 * Arrays of numbers in files: {@code .npy}, {@code .npz}, {@code .safetensors} and {@code .pth}.
 *
 * <pre>{@code
 * AtomicFile.write(folder.resolve("pool.npy"), out -> Npy.write(out, pool));
 * FloatMatrix read = Npy.open(folder.resolve("pool.npy")).readMatrix();
 * }</pre>
 *
 * @since 0.1
 */
package org.alfamix.io.array;
