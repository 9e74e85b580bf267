package org.alfamix.strategy;

/** What the picks of a strategy have in common, for explanations in plain words. */
public enum Criterion {
  /** Items are sampled at random. */
  RANDOM,

  /** Items that the model is unsure of; strategies that also spread their picks belong here. */
  UNCERTAINTY,

  /** Items that differ from labelled items and from each other. */
  DIVERSITY
}
