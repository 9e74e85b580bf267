package org.alfamix.dataset;

import java.security.MessageDigest;

/** Some items of others, in an order of their own. */
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
