package org.alfamix.onnx;

import ai.djl.huggingface.tokenizers.Encoding;
import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.alfamix.io.DataException;

/** Splits texts into tokens, with a tokenizer of Hugging Face. Several threads may use it. */
final class TextTokenizer implements AutoCloseable {
  private static final int FIRST_CHARACTERS = 4096;
  private static final int CHARACTERS_PER_TOKEN = 16;

  /** Number of tokens at the end of a cut text that may differ from those of the whole text. */
  private static final int UNCERTAIN_TOKENS = 100;

  private final HuggingFaceTokenizer tokenizer;

  private TextTokenizer(HuggingFaceTokenizer tokenizer) {
    this.tokenizer = tokenizer;
  }

  /**
   * The tokens of a text.
   *
   * @param before special tokens at the start, such as [CLS]
   * @param body the tokens of the text itself, or the first of them
   * @param after special tokens at the end, such as [SEP]
   */
  record Tokens(long[] before, long[] body, long[] after) {

    /** Returns a window of the text with the special tokens. */
    long[] window(int from, int to) {
      long[] all = new long[before.length + to - from + after.length];
      System.arraycopy(before, 0, all, 0, before.length);
      System.arraycopy(body, from, all, before.length, to - from);
      System.arraycopy(after, 0, all, before.length + to - from, after.length);
      return all;
    }
  }

  /**
   * Opens a tokenizer.
   *
   * @param name its name for messages
   * @param json the content of {@code tokenizer.json}
   */
  static TextTokenizer open(String name, String json) {
    // The library would report its use to its authors, and look for GPUs and their libraries.
    setDefault("OPT_OUT_TRACKING", "true");
    setDefault("RUST_FLAVOR", "cpu");
    // It also warns about GPUs, and that its messages have no destination.
    setDefault("org.slf4j.simpleLogger.log.ai.djl", "error");
    setDefault("slf4j.internal.verbosity", "ERROR");
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    // The library finds its native code with this loader.
    thread.setContextClassLoader(TextTokenizer.class.getClassLoader());
    try {
      return new TextTokenizer(
          HuggingFaceTokenizer.newInstance(
              new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)),
              Map.of("truncation", "do_not_truncate", "padding", "do_not_pad")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (LinkageError e) {
      throw new DataException(
          "The tokenizers' native library cannot be loaded: %s.".formatted(e.getMessage()), e);
    } catch (RuntimeException e) {
      throw new DataException(
          "%s: cannot be read as a tokenizer: %s.".formatted(name, reason(e)), e);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static void setDefault(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }

  private static String reason(RuntimeException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("").replaceAll("\\.$", "");
  }

  /** Returns all tokens of a text. */
  Tokens tokens(String text) {
    Encoding encoding = tokenizer.encode(withoutLoneSurrogates(text));
    long[] ids = encoding.getIds();
    long[] special = encoding.getSpecialTokenMask();
    int start = 0;
    while (start < ids.length && special[start] == 1) {
      start++;
    }
    int end = ids.length;
    while (end > start && special[end - 1] == 1) {
      end--;
    }
    if (start == ids.length) {
      // Without a text, the border between both groups is unknown; encoders have one at each end.
      start = Math.min(1, ids.length);
      end = start;
    }
    return new Tokens(
        Arrays.copyOfRange(ids, 0, start),
        Arrays.copyOfRange(ids, start, end),
        Arrays.copyOfRange(ids, end, ids.length));
  }

  /**
   * Returns at least the first tokens of a text, without splitting all of a very long one.
   *
   * @param count number of tokens that are required
   */
  Tokens firstTokens(String text, int count) {
    long characters = FIRST_CHARACTERS + (long) CHARACTERS_PER_TOKEN * count;
    while (characters < text.length()) {
      Tokens tokens = tokens(text.substring(0, (int) characters));
      if (tokens.body().length >= count + UNCERTAIN_TOKENS) {
        return tokens;
      }
      characters *= 4;
    }
    return tokens(text);
  }

  private static String withoutLoneSurrogates(String text) {
    boolean valid = true;
    for (int i = 0; i < text.length() && valid; i++) {
      if (Character.isHighSurrogate(text.charAt(i))) {
        valid = i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1));
        i++;
      } else {
        valid = !Character.isLowSurrogate(text.charAt(i));
      }
    }
    if (valid) {
      return text;
    }
    int[] codePoints =
        text.codePoints()
            .map(point -> point >= 0xD800 && point <= 0xDFFF ? 0xFFFD : point)
            .toArray();
    return new String(codePoints, 0, codePoints.length);
  }

  @Override
  public void close() {
    tokenizer.close();
  }
}
