package org.alfamix.strategy;

/**
 * Builds {@link Gcnal} with options that are set by name; all others have their defaults.
 *
 * <pre>{@code
 * QueryStrategy strategy = Gcnal.builder().sample(5_000).steps(100).build();
 * }</pre>
 *
 * @see Gcnal.Options
 * @since 0.1
 */
public final class GcnalBuilder {
  private Gcnal.Picks picks = Gcnal.Options.DEFAULT.picks();
  private int sample = Gcnal.Options.DEFAULT.sample();
  private int hidden = Gcnal.Options.DEFAULT.hidden();
  private double dropout = Gcnal.Options.DEFAULT.dropout();
  private double learningRate = Gcnal.Options.DEFAULT.learningRate();
  private double weightDecay = Gcnal.Options.DEFAULT.weightDecay();
  private double lambda = Gcnal.Options.DEFAULT.lambda();
  private int steps = Gcnal.Options.DEFAULT.steps();
  private double margin = Gcnal.Options.DEFAULT.margin();

  GcnalBuilder() {}

  /** Sets the rule of selection: CoreGCN or UncertainGCN. */
  public GcnalBuilder picks(Gcnal.Picks value) {
    this.picks = value;
    return this;
  }

  /** Sets the number of unlabelled items in the graph. */
  public GcnalBuilder sample(int value) {
    this.sample = value;
    return this;
  }

  /** Sets the number of hidden units. */
  public GcnalBuilder hidden(int value) {
    this.hidden = value;
    return this;
  }

  /** Sets the share of hidden units dropped in training. */
  public GcnalBuilder dropout(double value) {
    this.dropout = value;
    return this;
  }

  /** Sets the learning rate of Adam. */
  public GcnalBuilder learningRate(double value) {
    this.learningRate = value;
    return this;
  }

  /** Sets the weight decay of Adam. */
  public GcnalBuilder weightDecay(double value) {
    this.weightDecay = value;
    return this;
  }

  /** Sets the weight of the unlabelled items in the loss. */
  public GcnalBuilder lambda(double value) {
    this.lambda = value;
    return this;
  }

  /** Sets the number of training steps. */
  public GcnalBuilder steps(int value) {
    this.steps = value;
    return this;
  }

  /** Sets the target probability of being labelled, for UncertainGCN. */
  public GcnalBuilder margin(double value) {
    this.margin = value;
    return this;
  }

  /**
   * Creates the strategy.
   *
   * @throws org.alfamix.error.InvalidRequestException if an option is out of range, or options
   *     contradict each other
   */
  public Gcnal build() {
    return new Gcnal(options());
  }

  /** Returns the options. */
  public Gcnal.Options options() {
    return new Gcnal.Options(
        picks, sample, hidden, dropout, learningRate, weightDecay, lambda, steps, margin);
  }
}
