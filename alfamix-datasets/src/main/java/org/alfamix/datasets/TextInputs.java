package org.alfamix.datasets;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;

/**
 * Texts in memory. They have no values for a network: replace them by features first, as {@code
 * BackboneDatasetReader} does.
 *
 * @since 0.1
 */
public final class TextInputs implements Inputs {
  private final List<String> texts;
  private final List<String> ids;
  private final List<float[]> numbers;

  /**
   * @param ids the identifiers of the texts in their source, or null for their indices
   */
  public TextInputs(List<String> texts, List<String> ids) {
    this(texts, ids, null);
  }

  /**
   * @param numbers the numbers that belong to each text, or null
   */
  TextInputs(List<String> texts, List<String> ids, List<float[]> numbers) {
    this.texts = List.copyOf(texts);
    this.numbers = numbers == null ? null : List.copyOf(numbers);
    this.ids = ids == null ? null : List.copyOf(ids);
    if (ids != null && ids.size() != texts.size()) {
      throw new IllegalArgumentException(
          "Found %d texts and %d ids.".formatted(texts.size(), ids.size()));
    }
  }

  @Override
  public int size() {
    return texts.size();
  }

  @Override
  public InputShape shape() {
    return InputShape.text();
  }

  @Override
  public String text(int item) {
    return texts.get(item);
  }

  @Override
  public float[] numbers(int item) {
    return numbers == null ? new float[0] : numbers.get(item).clone();
  }

  @Override
  public void read(int item, float[] target, int offset) {
    throw new UnsupportedOperationException("Texts have no values; compute features first.");
  }

  @Override
  public void digest(int item, MessageDigest digest) {
    digest.update(texts.get(item).getBytes(StandardCharsets.UTF_8));
    if (numbers != null) {
      digest.update(Arrays.toString(numbers.get(item)).getBytes(StandardCharsets.UTF_8));
    }
  }

  @Override
  public String id(int item) {
    return ids == null ? Integer.toString(item) : ids.get(item);
  }

  @Override
  public String describe(int item) {
    return "text " + id(item);
  }
}
