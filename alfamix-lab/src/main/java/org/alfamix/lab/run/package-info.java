/**
 * Running experiments. Every combination of setting, method and seed is a run, and every completed
 * round is a line of its file. An interrupted run resumes after its last completed round.
 */
package org.alfamix.lab.run;
