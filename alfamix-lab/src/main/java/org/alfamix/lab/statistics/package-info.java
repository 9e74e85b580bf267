/** Statistics that compare methods over seeds, rounds and settings. */
package org.alfamix.lab.statistics;
