/**
 * Learners on libtorch. Only this package and its networks depend on that library; all other code
 * uses {@link org.alfamix.learn.Learner}.
 */
package org.alfamix.torch;
