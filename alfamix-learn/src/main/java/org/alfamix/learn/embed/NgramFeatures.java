package org.alfamix.learn.embed;

import java.text.Normalizer;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.alfamix.datasets.Inputs;
import org.alfamix.io.DataException;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.Parallel;
import org.alfamix.math.Seeds;

/**
 * Features of texts without a pre-trained network: counts of words, pairs of words, and character
 * n-grams within words, hashed, weighted by TF-IDF, and projected onto the first singular vectors
 * of the pool (latent semantic analysis).
 *
 * <p>S. Deerwester, S. T. Dumais, G. W. Furnas, T. K. Landauer and R. Harshman, "Indexing by latent
 * semantic analysis", Journal of the American Society for Information Science 41, 1990.
 *
 * <p>The same pool gives the same features on any number of threads.
 */
public final class NgramFeatures {
  /** The name that users write instead of a backbone. */
  public static final String NAME = "ngrams";

  /** Number of features, or fewer for a small pool. */
  static final int FEATURES = 256;

  private static final int BUCKETS = 1 << 18;
  private static final int SHORTEST = 3;
  private static final int LONGEST = 5;
  private static final int SEED = 1990;
  private static final int BLOCK = 64;

  /**
   * In a pool of at least this size, n-grams of a single text are ignored: they say nothing about
   * other texts.
   */
  private static final int LARGE_POOL = 50;

  private static final Pattern WORD =
      Pattern.compile("[\\p{L}\\p{M}\\p{N}]+|[\\p{S}\\p{P}&&[^_\\s]]");

  /** The column of each bucket that is used; −1 for others. */
  private final int[] columns;

  private final float[] weights;
  private final FloatMatrix projection;

  private NgramFeatures(int[] columns, float[] weights, FloatMatrix projection) {
    this.columns = columns;
    this.weights = weights;
    this.projection = projection;
  }

  /** The buckets of a text, ascending, and how often each occurs. */
  record Counts(int[] buckets, int[] occurrences) {}

  /**
   * Fits weights and projection to the texts of a pool; labels are not used.
   *
   * @throws DataException if no text has a word
   */
  public static NgramFeatures fit(Inputs pool) {
    Counts[] counts = counts(pool);
    int[] documents = new int[BUCKETS];
    for (Counts text : counts) {
      for (int bucket : text.buckets()) {
        documents[bucket]++;
      }
    }
    int least = pool.size() >= LARGE_POOL ? 2 : 1;
    int[] columns = new int[BUCKETS];
    float[] weights = new float[BUCKETS];
    int used = 0;
    for (int b = 0; b < BUCKETS; b++) {
      columns[b] = documents[b] >= least ? used++ : -1;
      weights[b] = (float) (Math.log((1.0 + pool.size()) / (1.0 + documents[b])) + 1);
    }
    if (used == 0) {
      throw new DataException("no word or symbol occurs in the texts, so they have no features.");
    }
    NgramFeatures weighted = new NgramFeatures(columns, weights, null);
    SparseRows rows = weighted.rows(counts, used);
    return new NgramFeatures(columns, weights, TruncatedSvd.rightVectors(rows, FEATURES, SEED));
  }

  /** Returns the features of texts, with a length of 1; a text without known n-grams has zeros. */
  public FloatMatrix of(Inputs texts) {
    FloatMatrix features = rows(counts(texts), projection.rows()).times(projection);
    Kernels.normalizeRows(features);
    return features;
  }

  /** Returns the weighted counts of texts, each row with a length of 1. */
  private SparseRows rows(Counts[] counts, int width) {
    int[] starts = new int[counts.length + 1];
    for (int i = 0; i < counts.length; i++) {
      int known = 0;
      for (int bucket : counts[i].buckets()) {
        known += columns[bucket] >= 0 ? 1 : 0;
      }
      starts[i + 1] = Math.addExact(starts[i], known);
    }
    int[] positions = new int[starts[counts.length]];
    float[] values = new float[positions.length];
    Parallel.forBlocks(
        counts.length,
        BLOCK,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            fill(counts[i], starts[i], positions, values);
          }
        });
    return new SparseRows(width, starts, positions, values);
  }

  private void fill(Counts counts, int start, int[] positions, float[] values) {
    int at = start;
    double squares = 0;
    for (int n = 0; n < counts.buckets().length; n++) {
      int bucket = counts.buckets()[n];
      if (columns[bucket] >= 0) {
        positions[at] = columns[bucket];
        values[at] = (float) (1 + Math.log(counts.occurrences()[n])) * weights[bucket];
        squares += (double) values[at] * values[at];
        at++;
      }
    }
    float length = (float) Math.sqrt(squares);
    for (int v = start; v < at; v++) {
      values[v] /= length;
    }
  }

  private static Counts[] counts(Inputs texts) {
    Counts[] counts = new Counts[texts.size()];
    Parallel.forBlocks(
        counts.length,
        BLOCK,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            counts[i] = count(texts.text(i));
          }
        });
    return counts;
  }

  /** Counts the words, pairs of words and character n-grams of a text. */
  static Counts count(String text) {
    Buckets found = new Buckets();
    String plain = Normalizer.normalize(text, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
    Matcher words = WORD.matcher(plain);
    long before = 0;
    while (words.find()) {
      // Spaces mark the start and the end of the word.
      int[] word = (" " + words.group() + " ").codePoints().toArray();
      long whole = hash(word, 0, word.length);
      found.add(whole);
      if (before != 0) {
        found.add(31 * before + whole);
      }
      before = whole;
      // The whole word has been counted.
      for (int length = SHORTEST; length <= Math.min(LONGEST, word.length - 1); length++) {
        for (int at = 0; at + length <= word.length; at++) {
          found.add(~hash(word, at, at + length));
        }
      }
    }
    return found.counts();
  }

  /** The buckets of the n-grams of a text, in the order of the text. */
  private static final class Buckets {
    private int[] buckets = new int[256];
    private int size;

    void add(long hash) {
      if (size == buckets.length) {
        buckets = Arrays.copyOf(buckets, Math.multiplyExact(2, size));
      }
      buckets[size++] = (int) Math.floorMod(Seeds.scatter(hash), (long) BUCKETS);
    }

    Counts counts() {
      Arrays.sort(buckets, 0, size);
      int[] distinct = new int[size];
      int[] occurrences = new int[size];
      int count = 0;
      for (int i = 0; i < size; i++) {
        if (i == 0 || buckets[i] != buckets[i - 1]) {
          distinct[count++] = buckets[i];
        }
        occurrences[count - 1]++;
      }
      return new Counts(Arrays.copyOf(distinct, count), Arrays.copyOf(occurrences, count));
    }
  }

  private static long hash(int[] codePoints, int from, int to) {
    long hash = 0;
    for (int at = from; at < to; at++) {
      hash = Seeds.scatter(hash ^ codePoints[at]) + 0x9e3779b97f4a7c15L;
    }
    return hash;
  }
}
