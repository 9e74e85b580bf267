package org.alfamix.command;

import java.util.Iterator;
import java.util.List;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.strategy.Strategies;
import org.alfamix.strategy.StrategyEntry;

/**
 * Completion candidates of options that take a strategy. Plug-ins are loaded when the names are
 * listed, not when a command is created.
 */
public class StrategyNames implements Iterable<String> {

  @Override
  public Iterator<String> iterator() {
    return names().iterator();
  }

  /** Returns the names; if a plug-in cannot be loaded, those of alfamix. */
  protected List<String> names() {
    try {
      return Strategies.all().stream().map(StrategyEntry::name).toList();
    } catch (InvalidRequestException e) {
      // Commands that need plug-ins report it.
      return Strategies.builtIn().stream().map(entry -> entry.name()).toList();
    }
  }
}
