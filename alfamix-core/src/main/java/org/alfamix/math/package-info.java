/**
 * Matrices, and the kernels that all strategies compute with. Kernels use vector instructions if
 * Java is started with {@code --add-modules=jdk.incubator.vector}.
 *
 * <pre>{@code
 * FloatMatrix matrix = FloatMatrix.wrap(new float[] {1, 0, 3, 4}, 2, 2);
 * float[] squared = Kernels.squaredRowNorms(matrix); // 1, 25
 * System.out.println(Kernels.description());
 * }</pre>
 *
 * @since 0.1
 */
package org.alfamix.math;
