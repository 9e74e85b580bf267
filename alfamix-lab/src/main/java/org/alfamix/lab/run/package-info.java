/**
 * Running experiments: every setting, method and seed is a run, every finished round a line of its
 * file. A run that was cut off goes on after its last whole round.
 */
package org.alfamix.lab.run;
