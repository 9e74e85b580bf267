/**
 * Interfaces of models that are trained, independent of the library that trains them.
 * Implementations are found at run time, because they depend on large native libraries.
 *
 * <pre>{@code
 * Dataset data = Datasets.open("digits", folder);
 * try (Learner learner = LearnerEngine.find().create(LearnerSpec.of("mlp", data, 1))) {
 *   int[] items = {0, 1, 2, 3};
 *   learner.fit(data.pool().inputs(), items, data.pool().labelsOf(items));
 *   System.out.println(learner.accuracy(data.test().inputs(), data.test().labels()));
 * }
 * }</pre>
 *
 * @since 0.1
 */
package org.alfamix.learn;
