/**
 * Extension points. A plug-in is a jar with classes that implement a catalogue, such as {@link
 * org.alfamix.strategy.StrategyCatalog}, and name it in {@code META-INF/services}:
 *
 * <pre>{@code
 * META-INF/services/org.alfamix.strategy.StrategyCatalog:
 * com.example.MyStrategies
 * }</pre>
 *
 * @since 0.1
 */
package org.alfamix.plugin;
