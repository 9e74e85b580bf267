package org.alfamix.studio.store;

/**
 * An item that is about to be kept.
 *
 * @param name what its source calls it
 * @param held whether it only serves to test
 * @param lot its place where nothing better is known
 */
public record NewItem(String name, boolean held, int lot) {}
