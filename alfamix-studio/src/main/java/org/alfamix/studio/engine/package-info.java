/** What happens behind the annotators: features, models, batches, and who is served what. */
package org.alfamix.studio.engine;
