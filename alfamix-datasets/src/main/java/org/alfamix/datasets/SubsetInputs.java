package org.alfamix.datasets;

import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Selected items of other inputs, in a given order. */
record SubsetInputs(Inputs all, int[] items) implements Inputs {

  @Override
  public int size() {
    return items.length;
  }

  @Override
  public InputShape shape() {
    return all.shape();
  }

  @Override
  public void read(int item, float[] target, int offset) {
    all.read(items[item], target, offset);
  }

  @Override
  public boolean isInMemory() {
    return all.isInMemory();
  }

  @Override
  public boolean hasBytes() {
    return all.hasBytes();
  }

  @Override
  public void readBytes(int item, byte[] target, int offset) {
    all.readBytes(items[item], target, offset);
  }

  @Override
  public boolean hasRandomViews() {
    return all.hasRandomViews();
  }

  @Override
  public void readRandomView(int item, RandomGenerator random, byte[] target, int offset) {
    all.readRandomView(items[item], random, target, offset);
  }

  @Override
  public String text(int item) {
    return all.text(items[item]);
  }

  @Override
  public float[] numbers(int item) {
    return all.numbers(items[item]);
  }

  @Override
  public Inputs withClips(ClipOptions options) {
    return new SubsetInputs(all.withClips(options), items);
  }

  @Override
  public Optional<Path> file(int item) {
    return all.file(items[item]);
  }

  @Override
  public void digest(int item, MessageDigest digest) {
    all.digest(items[item], digest);
  }

  @Override
  public String id(int item) {
    return all.id(items[item]);
  }

  @Override
  public String describe(int item) {
    return all.describe(items[item]);
  }
}
