package org.alfamix.learn;

import java.util.ArrayList;
import java.util.List;
import org.alfamix.error.InvalidRequestException;

/**
 * How an image is changed at random each time a step sees it.
 *
 * @param padding zeros put around it before a piece of its old size is cut out somewhere; 0 for
 *     none
 * @param flip whether every other one is seen as in a mirror
 */
public record Augmentation(int padding, boolean flip) {

  public static final Augmentation NONE = new Augmentation(0, false);

  /** How many pixels are put around an image, unless something else is said. */
  private static final int USUAL_PADDING = 4;

  private static final int MOST_PADDING = 64;

  public Augmentation {
    if (padding < 0 || padding > MOST_PADDING) {
      throw new InvalidRequestException(
          "augment: crop is %d, expected 0 to %d.".formatted(padding, MOST_PADDING));
    }
  }

  public boolean isNone() {
    return padding == 0 && !flip;
  }

  /** Reads words with commas between: {@code crop}, {@code crop=8}, {@code flip}; or none. */
  public static Augmentation parse(String text) {
    int padding = 0;
    boolean flip = false;
    for (String word : text.split(",")) {
      String stripped = word.strip();
      if (stripped.equals("flip")) {
        flip = true;
      } else if (stripped.equals("crop")) {
        padding = USUAL_PADDING;
      } else if (stripped.matches("crop=\\d{1,3}")) {
        padding = Integer.parseInt(stripped.substring("crop=".length()));
      } else if (!stripped.equals("none")) {
        throw new InvalidRequestException(
            "augment",
            "is '%s', expected crop, crop=PIXELS, flip, with commas between, or none."
                .formatted(text));
      }
    }
    return new Augmentation(padding, flip);
  }

  @Override
  public String toString() {
    List<String> words = new ArrayList<>();
    if (padding > 0) {
      words.add(padding == USUAL_PADDING ? "crop" : "crop=" + padding);
    }
    if (flip) {
      words.add("flip");
    }
    return words.isEmpty() ? "none" : String.join(",", words);
  }
}
