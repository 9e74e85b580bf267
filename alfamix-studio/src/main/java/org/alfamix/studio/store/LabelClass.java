package org.alfamix.studio.store;

/**
 * A class that items may belong to.
 *
 * @param place its number among the classes of its project, from 0; classes keep theirs
 */
public record LabelClass(long id, String name, int place) {}
