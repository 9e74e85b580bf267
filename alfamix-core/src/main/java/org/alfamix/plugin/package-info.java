/**
 * Extension points. A plug-in is a jar with classes that implement a provider, such as {@link
 * org.alfamix.strategy.StrategyProvider}, and name it in {@code META-INF/services}:
 *
 * <pre>{@code
 * META-INF/services/org.alfamix.strategy.StrategyProvider:
 * com.example.MyStrategies
 * }</pre>
 *
 * @since 0.1
 */
package org.alfamix.plugin;
