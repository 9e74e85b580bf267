package com.example.plugin;

import java.util.List;
import org.alfamix.strategy.StrategyProvider;
import org.alfamix.strategy.StrategyEntry;

/** The strategies of this plug-in. */
public final class ExampleStrategies implements StrategyProvider {
  @Override
  public List<StrategyEntry<?>> entries() {
    return List.of(SmallestNorm.ENTRY);
  }
}
