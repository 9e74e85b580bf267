package org.alfamix.learn;

import java.util.ArrayList;
import java.util.List;
import org.alfamix.error.InvalidRequestException;

/**
 * Random changes to an image in each training step.
 *
 * @param padding number of zero pixels added on each side before an image of the original size is
 *     cropped at random; 0 for none
 * @param flip whether images are mirrored with probability ½
 */
public record Augmentation(int padding, boolean flip) {

  public static final Augmentation NONE = new Augmentation(0, false);

  /** Number of pixels added on each side by default. */
  private static final int DEFAULT_PADDING = 4;

  private static final int MAX_PADDING = 64;

  public Augmentation {
    if (padding < 0 || padding > MAX_PADDING) {
      throw new InvalidRequestException(
          "augment", "has a crop of %d pixels, expected 0 to %d.".formatted(padding, MAX_PADDING));
    }
  }

  public boolean isNone() {
    return padding == 0 && !flip;
  }

  /** Parses a list of {@code crop}, {@code crop=8} and {@code flip}, or {@code none}. */
  public static Augmentation parse(String text) {
    int padding = 0;
    boolean flip = false;
    for (String word : text.split(",")) {
      String stripped = word.strip();
      if (stripped.equals("flip")) {
        flip = true;
      } else if (stripped.equals("crop")) {
        padding = DEFAULT_PADDING;
      } else if (stripped.matches("crop=\\d{1,3}")) {
        padding = Integer.parseInt(stripped.substring("crop=".length()));
      } else if (!stripped.equals("none")) {
        throw new InvalidRequestException(
            "augment",
            "is '%s', expected crop, crop=PIXELS and flip, separated by commas, or none."
                .formatted(text));
      }
    }
    return new Augmentation(padding, flip);
  }

  @Override
  public String toString() {
    List<String> words = new ArrayList<>();
    if (padding > 0) {
      words.add(padding == DEFAULT_PADDING ? "crop" : "crop=" + padding);
    }
    if (flip) {
      words.add("flip");
    }
    return words.isEmpty() ? "none" : String.join(",", words);
  }
}
