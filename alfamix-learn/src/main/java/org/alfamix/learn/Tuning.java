package org.alfamix.learn;

import java.util.Locale;
import org.alfamix.error.InvalidRequestException;

/**
 * Which part of a network learns, beside its head, which always does.
 *
 * @param blocks how many of the last blocks; only of {@link Part#LAST}
 */
public record Tuning(Part part, int blocks) {

  /** What learns. */
  public enum Part {
    /** Everything. */
    ALL,
    /** The last blocks and what follows them. */
    LAST,
    /** The scales and shifts of normalisations. */
    NORMS,
    /** Nothing: the head alone. */
    FROZEN
  }

  public static final Tuning ALL = new Tuning(Part.ALL, 0);
  public static final Tuning NORMS = new Tuning(Part.NORMS, 0);
  public static final Tuning FROZEN = new Tuning(Part.FROZEN, 0);

  public Tuning {
    if (part == Part.LAST ? blocks < 1 : blocks != 0) {
      throw new InvalidRequestException(
          "tuning", "of %d blocks, expected 1 or more.".formatted(blocks));
    }
  }

  public static Tuning last(int blocks) {
    return new Tuning(Part.LAST, blocks);
  }

  /** Reads {@code all}, {@code last}, {@code last:2}, {@code norms} or {@code frozen}. */
  public static Tuning parse(String text) {
    return switch (text) {
      case "all" -> ALL;
      case "last" -> last(1);
      case "norms" -> NORMS;
      case "frozen" -> FROZEN;
      default -> {
        if (!text.matches("last:[1-9]\\d{0,2}")) {
          throw new InvalidRequestException(
              "tuning", "is '%s', expected all, last, last:N, norms or frozen.".formatted(text));
        }
        yield last(Integer.parseInt(text.substring("last:".length())));
      }
    };
  }

  @Override
  public String toString() {
    return part.name().toLowerCase(Locale.ROOT) + (part == Part.LAST ? ":" + blocks : "");
  }
}
