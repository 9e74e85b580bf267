/**
 * What is known of a model before a selection: embeddings, labels, and its last layer or its
 * probabilities.
 *
 * <pre>{@code
 * LinearHead head =
 *     LogisticRegression.fit(labelled, labels, 3, LogisticRegression.Options.DEFAULT).head();
 * Snapshot known = Snapshot.of(pool).labelled(labelled, labels).head(head).build();
 * }</pre>
 *
 * @since 0.1
 */
package org.alfamix.model;
