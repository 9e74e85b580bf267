package org.alfamix.select;

/**
 * What a batch was selected from.
 *
 * @param labelled number of labelled items
 * @param classes number of classes, 0 where none are known
 * @param eligible the rows that could be picked, ascending
 */
public record BatchScope(int labelled, int classes, int[] eligible) {}
