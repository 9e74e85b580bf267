package org.alfamix.learn.embed;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.alfamix.datasets.DatasetReader;
import org.alfamix.error.InvalidRequestException;

/**
 * How a text encoder computes the features of a text. Empty values are those of the encoder.
 *
 * @param pooling how the vectors of the tokens become one vector
 * @param normalize whether features are scaled to unit length
 * @param prefix a text that is put before each text, such as {@code "query: "}
 * @param maxTokens the length at which texts are cut
 * @param longTexts what happens to longer texts
 */
public record EncoderOptions(
    Optional<Pooling> pooling,
    Optional<Boolean> normalize,
    Optional<String> prefix,
    OptionalInt maxTokens,
    LongTexts longTexts) {

  /** The options of the encoder. */
  public static final EncoderOptions DEFAULT =
      new EncoderOptions(
          Optional.empty(), Optional.empty(), Optional.empty(), OptionalInt.empty(), LongTexts.CUT);

  /** The keys of these options in settings and checkpoints. */
  public static final List<String> KEYS =
      List.of(
          DatasetReader.TEXT_POOLING,
          DatasetReader.TEXT_NORMALIZE,
          DatasetReader.TEXT_PREFIX,
          DatasetReader.MAX_TOKENS,
          DatasetReader.LONG_TEXTS);

  /** How the vectors of the tokens become one vector. */
  public enum Pooling {
    /** The mean of all tokens. */
    MEAN,
    /** The vector of the first token. */
    CLS,
    /** The maximum of each feature. */
    MAX;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What happens to texts with more tokens than the encoder takes. */
  public enum LongTexts {
    /** The beginning is used. */
    CUT,
    /** All parts are encoded, and the mean of their features is used. */
    WINDOWS;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Parses the options.
   *
   * @param reading options by the keys of {@link DatasetReader}; others are ignored
   * @throws InvalidRequestException if an option is invalid; it names the key
   */
  public static EncoderOptions parse(Map<String, String> reading) {
    OptionalInt maxTokens = OptionalInt.empty();
    if (reading.containsKey(DatasetReader.MAX_TOKENS)) {
      int tokens = DatasetReader.integer(reading, DatasetReader.MAX_TOKENS, 0);
      if (tokens < MIN_TOKENS) {
        throw new InvalidRequestException(
            DatasetReader.MAX_TOKENS, "is %d, expected at least %d.".formatted(tokens, MIN_TOKENS));
      }
      maxTokens = OptionalInt.of(tokens);
    }
    return new EncoderOptions(
        choice(reading, DatasetReader.TEXT_POOLING, Pooling.values()),
        choice(reading, DatasetReader.TEXT_NORMALIZE, YesNo.values()).map(YesNo.YES::equals),
        Optional.ofNullable(reading.get(DatasetReader.TEXT_PREFIX)),
        maxTokens,
        EncoderOptions.<LongTexts>choice(reading, DatasetReader.LONG_TEXTS, LongTexts.values())
            .orElse(LongTexts.CUT));
  }

  /** Room for the tokens at the start and the end, and a few words. */
  private static final int MIN_TOKENS = 8;

  private enum YesNo {
    YES,
    NO;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static <T> Optional<T> choice(Map<String, String> reading, String key, T[] choices) {
    String text = reading.get(key);
    if (text == null) {
      return Optional.empty();
    }
    return Optional.of(
        Arrays.stream(choices)
            .filter(choice -> choice.toString().equals(text))
            .findFirst()
            .orElseThrow(
                () ->
                    new InvalidRequestException(
                        key,
                        "is '%s', expected %s."
                            .formatted(
                                text,
                                Arrays.stream(choices)
                                    .map(Object::toString)
                                    .collect(Collectors.joining(", "))))));
  }
}
