package org.alfamix.strategy;

import java.util.List;

/**
 * The strategies of a plug-in, found by {@link java.util.ServiceLoader}. They are then available by
 * name everywhere: on the command line, in the lab, in the studio, on Spark and from Java.
 *
 * <pre>{@code
 * public final class MyStrategies implements StrategyProvider {
 *   @Override
 *   public List<StrategyEntry<?>> entries() {
 *     return List.of(SmallestNorm.ENTRY);
 *   }
 * }
 * }</pre>
 *
 * @since 0.1
 */
public interface StrategyProvider {

  /** Returns the entries of the strategies; their names must differ from those of all others. */
  List<StrategyEntry<?>> entries();
}
