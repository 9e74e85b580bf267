/**
 * Query strategies: pure functions from a snapshot, a budget and a random generator to the items to
 * label.
 *
 * <pre>{@code
 * QueryStrategy strategy = Strategies.create("alfamix", Map.of("restarts", "3"));
 * Selection selected = strategy.select(snapshot, 100, new SplittableRandom(1));
 * for (Pick pick : selected.picks()) {
 *   System.out.println(pick.item() + ": " + pick.reason());
 * }
 * }</pre>
 *
 * @since 0.1
 */
package org.alfamix.strategy;
