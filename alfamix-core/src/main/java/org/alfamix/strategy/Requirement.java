package org.alfamix.strategy;

import org.alfamix.model.LinearHead;
import org.alfamix.model.Snapshot;

/** A part of a snapshot, besides the pool, that a query strategy may require. */
public enum Requirement {
  LABELLED("labelled embeddings") {
    @Override
    public boolean isMetBy(Snapshot snapshot) {
      return snapshot.labelled().rows() > 0;
    }
  },
  HEAD("a head") {
    @Override
    public boolean isMetBy(Snapshot snapshot) {
      return snapshot.head().isPresent();
    }
  },
  PROBABILITIES("a head or class probabilities") {
    @Override
    public boolean isMetBy(Snapshot snapshot) {
      return snapshot.hasProbabilities();
    }
  },
  DROPOUT("a head or dropout samples") {
    @Override
    public boolean isMetBy(Snapshot snapshot) {
      return snapshot.dropoutSamples().isPresent() || snapshot.head().isPresent();
    }
  },
  INPUT_GRADIENTS("a network with its inputs, or a linear head") {
    @Override
    public boolean isMetBy(Snapshot snapshot) {
      return snapshot.network().isPresent()
          || snapshot.head().filter(LinearHead.class::isInstance).isPresent();
    }
  };

  private final String description;

  Requirement(String description) {
    this.description = description;
  }

  /** Returns a description, such as {@code a head or class probabilities}. */
  public String description() {
    return description;
  }

  public abstract boolean isMetBy(Snapshot snapshot);
}
