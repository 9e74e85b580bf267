package org.alfamix.strategy;

/**
 * Details of a selection that only one method has. A strategy attaches a record of its own type;
 * callers who know that type ask for it with {@link Selection#diagnostics(Class)}.
 */
public interface Diagnostics {}
