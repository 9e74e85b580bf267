package org.alfamix.studio.source;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.IntConsumer;
import org.alfamix.datasets.ClipOptions;
import org.alfamix.datasets.InputShape;
import org.alfamix.datasets.Inputs;
import org.alfamix.io.DataException;

/**
 * Pictures, some of which may be missing or damaged by now. A model sees those as black; they are
 * listed with the reasons.
 */
final class ReadableInputs implements Inputs {
  private final Inputs inputs;
  private final IntConsumer check;
  private final Set<String> unreadable;

  /**
   * @param check throws a {@link DataException} if a picture must not be read
   */
  ReadableInputs(Inputs inputs, IntConsumer check) {
    this(inputs, check, new ConcurrentSkipListSet<>());
  }

  private ReadableInputs(Inputs inputs, IntConsumer check, Set<String> unreadable) {
    this.inputs = inputs;
    this.check = check;
    this.unreadable = unreadable;
  }

  /** Returns the reasons why pictures could not be read, without duplicates. */
  List<String> unreadable() {
    return List.copyOf(unreadable);
  }

  private boolean reads(int item, Runnable reading) {
    try {
      check.accept(item);
      reading.run();
      return true;
    } catch (DataException e) {
      unreadable.add(e.getMessage());
      return false;
    }
  }

  @Override
  public int size() {
    return inputs.size();
  }

  @Override
  public InputShape shape() {
    return inputs.shape();
  }

  @Override
  public void read(int item, float[] target, int offset) {
    if (!reads(item, () -> inputs.read(item, target, offset))) {
      Arrays.fill(target, offset, offset + shape().length(), 0);
    }
  }

  @Override
  public boolean hasBytes() {
    return inputs.hasBytes();
  }

  @Override
  public void readBytes(int item, byte[] target, int offset) {
    if (!reads(item, () -> inputs.readBytes(item, target, offset))) {
      Arrays.fill(target, offset, offset + shape().length(), (byte) 0);
    }
  }

  @Override
  public Inputs withClips(ClipOptions options) {
    return new ReadableInputs(inputs.withClips(options), check, unreadable);
  }

  @Override
  public void digest(int item, MessageDigest digest) {
    reads(item, () -> inputs.digest(item, digest));
  }

  @Override
  public boolean isInMemory() {
    return inputs.isInMemory();
  }

  @Override
  public String id(int item) {
    return inputs.id(item);
  }

  @Override
  public String describe(int item) {
    return inputs.describe(item);
  }
}
