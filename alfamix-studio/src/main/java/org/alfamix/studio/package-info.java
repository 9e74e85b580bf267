/**
 * Labelling in the browser: annotators label, a model learns, and a strategy selects the next
 * items.
 */
package org.alfamix.studio;
