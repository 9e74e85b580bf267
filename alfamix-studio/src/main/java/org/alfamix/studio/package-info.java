/** Labelling in the browser: a person labels, the engine chooses, the model learns. */
package org.alfamix.studio;
