package org.alfamix.strategy;

/** The options of a strategy that has none. */
public record NoOptions() {}
