package org.alfamix.strategy;

/** The options of a strategy without options. */
public record NoOptions() {}
