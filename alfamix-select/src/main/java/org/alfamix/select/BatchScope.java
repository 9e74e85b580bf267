package org.alfamix.select;

/**
 * The items that a batch was selected from.
 *
 * @param labelled number of labelled items
 * @param classes number of classes, 0 if none are known
 * @param eligible the rows that could be picked, ascending
 */
public record BatchScope(int labelled, int classes, int[] eligible) {}
