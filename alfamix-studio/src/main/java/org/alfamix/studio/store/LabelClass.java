package org.alfamix.studio.store;

/**
 * A class of items.
 *
 * @param place its position among the classes of its project, from 0, which never changes
 */
public record LabelClass(long id, String name, int place) {}
