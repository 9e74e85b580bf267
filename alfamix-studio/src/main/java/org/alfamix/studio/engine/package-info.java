/**
 * The background of the studio: features, models, batches, and the assignment of items to
 * annotators.
 */
package org.alfamix.studio.engine;
