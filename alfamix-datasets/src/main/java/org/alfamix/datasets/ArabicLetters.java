package org.alfamix.datasets;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.alfamix.datasets.Dataset.Part;
import org.alfamix.io.DataException;

/**
 * Reads the Arabic handwritten characters (AHCD) in their published form: a zip file of CSV files
 * without headers. Each row has 1,024 grey values in column-major order; labels start from 1 and
 * are in separate files.
 */
final class ArabicLetters {
  private static final int SIDE = 32;
  private static final int PIXELS = SIDE * SIDE;
  private static final List<String> NAMES =
      List.of(
          "alef", "beh", "teh", "theh", "jeem", "hah", "khah", "dal", "thal", "reh", "zain", "seen",
          "sheen", "sad", "dad", "tah", "zah", "ain", "ghain", "feh", "qaf", "kaf", "lam", "meem",
          "noon", "heh", "waw", "yeh");

  private ArabicLetters() {}

  static Dataset read(String name, Path file) {
    try (ZipFile zip = new ZipFile(file.toFile())) {
      Part pool = part(file, zip, "csvTrainImages 13440x1024.csv", "csvTrainLabel 13440x1.csv");
      Part test = part(file, zip, "csvTestImages 3360x1024.csv", "csvTestLabel 3360x1.csv");
      return new Dataset(name, NAMES, pool, test, Scaling.standardizing(pool.inputs()));
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
  }

  private static Part part(Path file, ZipFile zip, String images, String labels)
      throws IOException {
    int[] values = numbers(file, zip, labels, 1);
    for (int i = 0; i < values.length; i++) {
      if (values[i] < 1 || values[i] > NAMES.size()) {
        throw new DataException(
            "%s: %s, line %d: label %d, expected 1 to %d."
                .formatted(file, labels, i + 1, values[i], NAMES.size()));
      }
      values[i]--;
    }
    int[] pixels = numbers(file, zip, images, PIXELS);
    if (pixels.length != values.length * PIXELS) {
      throw new DataException(
          "%s: %s has %d rows, but %s has %d."
              .formatted(file, images, pixels.length / PIXELS, labels, values.length));
    }
    byte[] upright = new byte[pixels.length];
    for (int at = 0; at < pixels.length; at++) {
      int within = at % PIXELS;
      upright[at - within + within % SIDE * SIDE + within / SIDE] = (byte) pixels[at];
    }
    return new Part(new ByteInputs(InputShape.image(1, SIDE, SIDE), upright), values);
  }

  private static int[] numbers(Path file, ZipFile zip, String entry, int columns)
      throws IOException {
    ZipEntry found = zip.getEntry(entry);
    if (found == null) {
      throw new DataException("%s: the archive has no file '%s'.".formatted(file, entry));
    }
    int[] numbers = new int[columns << 10];
    int count = 0;
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(zip.getInputStream(found), StandardCharsets.US_ASCII))) {
      String line;
      for (int row = 1; (line = reader.readLine()) != null; row++) {
        if (line.isBlank()) {
          continue;
        }
        if (count + columns > numbers.length) {
          numbers = Arrays.copyOf(numbers, 2 * numbers.length);
        }
        String[] fields = line.split(",", -1);
        if (fields.length != columns) {
          throw new DataException(
              "%s: %s, line %d: expected %d values, found %d."
                  .formatted(file, entry, row, columns, fields.length));
        }
        for (String field : fields) {
          numbers[count++] = number(file, entry, row, field.strip());
        }
      }
    }
    return Arrays.copyOf(numbers, count);
  }

  private static int number(Path file, String entry, int row, String field) {
    try {
      int value = Integer.parseInt(field);
      if (value >= 0 && value <= 255) {
        return value;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new DataException(
        "%s: %s, line %d: expected an integer from 0 to 255, found '%s'."
            .formatted(file, entry, row, field));
  }
}
