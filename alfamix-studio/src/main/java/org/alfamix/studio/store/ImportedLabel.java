package org.alfamix.studio.store;

/** A label from a file. */
public record ImportedLabel(int item, String className) {}
