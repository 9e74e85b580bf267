/**
 * Learners on libtorch. Only this package and the networks below it know that library; everyone
 * else sees {@link org.alfamix.learn.Learner}.
 */
package org.alfamix.torch;
