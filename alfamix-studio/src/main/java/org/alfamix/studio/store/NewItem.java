package org.alfamix.studio.store;

/**
 * An item that is about to be kept.
 *
 * @param name what its source calls it
 * @param held whether it only serves to test
 */
public record NewItem(String name, boolean held) {}
