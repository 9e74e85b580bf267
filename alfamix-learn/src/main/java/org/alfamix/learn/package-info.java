/**
 * Models that learn: what a learner can be asked for, whatever it is made with. What makes them is
 * found at run time, because it brings a library of its own along.
 */
package org.alfamix.learn;
