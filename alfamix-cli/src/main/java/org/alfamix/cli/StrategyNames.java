package org.alfamix.cli;

import java.util.ArrayList;
import org.alfamix.strategy.Strategies;
import org.alfamix.strategy.StrategyEntry;

/** What options that take a strategy complete to. */
class StrategyNames extends ArrayList<String> {
  private static final long serialVersionUID = 1;

  StrategyNames() {
    super(Strategies.all().stream().map(StrategyEntry::name).toList());
  }
}
