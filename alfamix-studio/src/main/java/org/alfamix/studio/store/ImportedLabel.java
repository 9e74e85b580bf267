package org.alfamix.studio.store;

/** A label that is imported from a file. */
public record ImportedLabel(int item, String className) {}
