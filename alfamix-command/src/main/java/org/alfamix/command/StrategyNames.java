package org.alfamix.command;

import java.util.ArrayList;
import org.alfamix.strategy.Strategies;
import org.alfamix.strategy.StrategyEntry;

/** Completion candidates of options that take a strategy. */
public class StrategyNames extends ArrayList<String> {
  private static final long serialVersionUID = 1;

  public StrategyNames() {
    super(Strategies.all().stream().map(StrategyEntry::name).toList());
  }
}
