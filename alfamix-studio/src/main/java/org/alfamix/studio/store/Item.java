package org.alfamix.studio.store;

/**
 * An item of a project.
 *
 * @param number its row in the features, from 0
 * @param name its name in the source
 * @param held whether it is held out for testing
 */
public record Item(int number, String name, boolean held) {}
