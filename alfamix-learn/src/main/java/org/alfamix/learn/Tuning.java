package org.alfamix.learn;

import java.util.Locale;
import org.alfamix.error.InvalidRequestException;

/**
 * The part of a network that is trained, in addition to its head, which is always trained.
 *
 * @param blocks number of last blocks; 0 unless the part is {@link Part#LAST}
 */
public record Tuning(Part part, int blocks) {

  /** The parts of a network. */
  public enum Part {
    /** All layers. */
    ALL,
    /** The last blocks and the layers after them. */
    LAST,
    /** The scales and shifts of normalization layers. */
    NORMS,
    /** No layer: only the head is trained. */
    FROZEN
  }

  public static final Tuning ALL = new Tuning(Part.ALL, 0);
  public static final Tuning NORMS = new Tuning(Part.NORMS, 0);
  public static final Tuning FROZEN = new Tuning(Part.FROZEN, 0);

  public Tuning {
    if (part == Part.LAST ? blocks < 1 : blocks != 0) {
      throw new InvalidRequestException(
          "tuning",
          "has %d blocks, expected %s.".formatted(blocks, part == Part.LAST ? "at least 1" : "0"));
    }
  }

  public static Tuning last(int blocks) {
    return new Tuning(Part.LAST, blocks);
  }

  /** Parses {@code all}, {@code last}, {@code last:2}, {@code norms} or {@code frozen}. */
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
