package org.alfamix.studio.store;

/**
 * An item of a project.
 *
 * @param number its row in the features, from 0
 * @param name what its source calls it
 * @param held whether it only serves to test
 */
public record Item(int number, String name, boolean held) {}
