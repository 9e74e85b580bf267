package org.alfamix.strategy;

/**
 * Details of a selection that are specific to one strategy. A strategy attaches a record that
 * implements this interface; callers retrieve it by its type with {@link
 * Selection#diagnostics(Class)}.
 */
public interface Diagnostics {}
