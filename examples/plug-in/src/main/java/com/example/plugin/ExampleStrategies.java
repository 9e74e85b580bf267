package com.example.plugin;

import java.util.List;
import org.alfamix.strategy.StrategyCatalog;
import org.alfamix.strategy.StrategyEntry;

/** The strategies of this plug-in. */
public final class ExampleStrategies implements StrategyCatalog {
  @Override
  public List<StrategyEntry<?>> entries() {
    return List.of(SmallestNorm.ENTRY);
  }
}
