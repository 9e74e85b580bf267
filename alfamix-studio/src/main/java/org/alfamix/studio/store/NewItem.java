package org.alfamix.studio.store;

/**
 * An item to be stored.
 *
 * @param name its name in the source
 * @param held whether it is held out for testing
 * @param position its position in random order
 */
public record NewItem(String name, boolean held, int position) {}
