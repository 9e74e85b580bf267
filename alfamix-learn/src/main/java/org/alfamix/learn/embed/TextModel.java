package org.alfamix.learn.embed;

import java.util.List;
import org.alfamix.datasets.TextInputs;
import org.alfamix.math.FloatMatrix;

/**
 * Features of a pool of texts, and the function that computes them, for texts that are not in the
 * pool. Several threads may use it.
 */
public final class TextModel implements AutoCloseable {

  /** Computes the features of texts. */
  @FunctionalInterface
  interface Function {
    FloatMatrix of(TextInputs texts);
  }

  private final FloatMatrix pool;
  private final Function function;
  private final Runnable close;
  private boolean closed;

  TextModel(FloatMatrix pool, Function function, Runnable close) {
    this.pool = pool;
    this.function = function;
    this.close = close;
  }

  /** Returns the features of the pool, one row per text. */
  public FloatMatrix pool() {
    return pool;
  }

  /** Returns the features of other texts. */
  public synchronized FloatMatrix of(List<String> texts) {
    if (closed) {
      throw new IllegalStateException("The model of texts is closed.");
    }
    return function.of(new TextInputs(texts, null));
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      close.run();
    }
  }
}
