package org.alfamix.strategy;

import org.alfamix.mix.AlphaBound;

/**
 * Builds {@link AlfaMix} with options that are set by name; all others have their defaults.
 *
 * <pre>{@code
 * QueryStrategy strategy = AlfaMix.builder().capStep(0.1).restarts(3).build();
 * }</pre>
 *
 * @see AlfaMix.Options
 * @since 0.1
 */
public final class AlfaMixBuilder {
  private AlfaMix.Alpha alpha = AlfaMix.Options.DEFAULT.alpha();
  private AlfaMix.AnchorChoice anchors = AlfaMix.Options.DEFAULT.anchors();
  private AlfaMix.PickRule picks = AlfaMix.Options.DEFAULT.picks();
  private double capStep = AlfaMix.Options.DEFAULT.capStep();
  private boolean grow = AlfaMix.Options.DEFAULT.grow();
  private double maxCap = AlfaMix.Options.DEFAULT.maxCap();
  private int restarts = AlfaMix.Options.DEFAULT.restarts();
  private AlphaBound alphaBound = AlfaMix.Options.DEFAULT.alphaBound();
  private int alphaSteps = AlfaMix.Options.DEFAULT.alphaSteps();
  private double alphaRate = AlfaMix.Options.DEFAULT.alphaRate();
  private double alphaPenalty = AlfaMix.Options.DEFAULT.alphaPenalty();

  AlfaMixBuilder() {}

  /** Sets the computation of the mixing ratios. */
  public AlfaMixBuilder alpha(AlfaMix.Alpha value) {
    this.alpha = value;
    return this;
  }

  /** Sets the anchors that items are mixed with. */
  public AlfaMixBuilder anchors(AlfaMix.AnchorChoice value) {
    this.anchors = value;
    return this;
  }

  /** Sets the selection among the candidates. */
  public AlfaMixBuilder picks(AlfaMix.PickRule value) {
    this.picks = value;
    return this;
  }

  /** Sets the first cap and its increment. */
  public AlfaMixBuilder capStep(double value) {
    this.capStep = value;
    return this;
  }

  /** Sets whether the cap grows; if not, it stays at {@code capStep}. */
  public AlfaMixBuilder grow(boolean value) {
    this.grow = value;
    return this;
  }

  /** Sets the largest cap. */
  public AlfaMixBuilder maxCap(double value) {
    this.maxCap = value;
    return this;
  }

  /** Sets the number of k-means restarts. */
  public AlfaMixBuilder restarts(int value) {
    this.restarts = value;
    return this;
  }

  /** Sets the bound on ratios that are not in closed form. */
  public AlfaMixBuilder alphaBound(AlphaBound value) {
    this.alphaBound = value;
    return this;
  }

  /** Sets the number of steps of projected gradient. */
  public AlfaMixBuilder alphaSteps(int value) {
    this.alphaSteps = value;
    return this;
  }

  /** Sets the learning rate of projected gradient. */
  public AlfaMixBuilder alphaRate(double value) {
    this.alphaRate = value;
    return this;
  }

  /** Sets the weight of ‖α‖ against the loss. */
  public AlfaMixBuilder alphaPenalty(double value) {
    this.alphaPenalty = value;
    return this;
  }

  /**
   * Creates the strategy.
   *
   * @throws org.alfamix.error.InvalidRequestException if an option is out of range, or options
   *     contradict each other
   */
  public AlfaMix build() {
    return new AlfaMix(options());
  }

  /** Returns the options. */
  public AlfaMix.Options options() {
    return new AlfaMix.Options(
        alpha,
        anchors,
        picks,
        capStep,
        grow,
        maxCap,
        restarts,
        alphaBound,
        alphaSteps,
        alphaRate,
        alphaPenalty);
  }
}
