package org.alfamix.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.alfamix.io.array.Npy;
import org.alfamix.math.FloatMatrix;

/** Writes pools, labels and heads in every format that {@code select} reads. */
final class Formats {
  static final List<String> POOLS =
      List.of(
          "npy",
          "npy-f8",
          "npz",
          "npz-compressed",
          "shards",
          "glob",
          "csv-list",
          "csv-columns",
          "csv-gz",
          "jsonl-list",
          "jsonl-columns",
          "parquet",
          "parquet-shards",
          "sql");

  static final List<String> LABELS =
      List.of("csv", "jsonl", "parquet", "npy", "label-studio", "label-studio-min");

  static final List<String> HEADS = List.of("npz", "npz-W-b", "safetensors", "fc", "npy-files");

  private Formats() {}

  /** Returns whether items of such a pool have IDs; otherwise row numbers identify them. */
  static boolean hasIds(String format) {
    return !List.of("npy", "npy-f8", "shards", "glob").contains(format);
  }

  static String id(String format, int row) {
    return hasIds(format) ? "item \"" + row + "\", é" : Integer.toString(row);
  }

  @FunctionalInterface
  interface Writing {
    void to(OutputStream out) throws IOException;
  }

  static Path write(Path file, Writing writing) {
    try (OutputStream out = Files.newOutputStream(file)) {
      writing.to(out);
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Path text(Path file, String text) {
    return write(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** Writes a pool and returns the options that read it. */
  static String[] pool(String format, FloatMatrix pool, Path folder) {
    IntFunction<String> id = row -> id(format, row);
    switch (format) {
      case "npy":
        return embeddings(write(folder.resolve("pool.npy"), out -> Npy.write(out, pool)));
      case "npy-f8":
        return embeddings(write(folder.resolve("pool.npy"), out -> writeDoubles(out, pool)));
      case "npz":
      case "npz-compressed":
        return embeddings(
            write(
                folder.resolve("pool.npz"), out -> writeNpz(out, format.equals("npz"), pool, id)));
      case "shards":
      case "glob":
        Path shards = shards(pool, folder);
        return format.equals("shards")
            ? embeddings(shards)
            : new String[] {"--embeddings", shards + "/part-*.npy"};
      case "csv-list":
        return embeddings(text(folder.resolve("pool.csv"), csv(pool, id, false)));
      case "csv-columns":
        return embeddings(text(folder.resolve("pool.csv"), csv(pool, id, true)));
      case "csv-gz":
        return embeddings(
            write(
                folder.resolve("pool.csv.gz"),
                out -> {
                  var zipped = new java.util.zip.GZIPOutputStream(out);
                  zipped.write(csv(pool, id, false).getBytes(StandardCharsets.UTF_8));
                  zipped.finish();
                }));
      case "jsonl-list":
        return embeddings(text(folder.resolve("pool.jsonl"), jsonl(pool, id, false)));
      case "jsonl-columns":
        return embeddings(text(folder.resolve("pool.jsonl"), jsonl(pool, id, true)));
      case "parquet":
        return embeddings(parquet(folder.resolve("pool.parquet"), pool, id, 0, pool.rows()));
      case "parquet-shards":
        Path parts = directory(folder.resolve("parts"));
        int half = pool.rows() / 2;
        parquet(parts.resolve("a.parquet"), pool, id, 0, half);
        parquet(parts.resolve("b.parquet"), pool, id, half, pool.rows());
        return embeddings(parts);
      case "sql":
        Path file = parquet(folder.resolve("pool.parquet"), pool, id, 0, pool.rows());
        return new String[] {
          "--embeddings-sql", "SELECT embedding AS vector, id FROM '" + file + "' WHERE keep;"
        };
      default:
        throw new IllegalArgumentException(format);
    }
  }

  private static String[] embeddings(Path file) {
    return new String[] {"--embeddings", file.toString()};
  }

  private static Path directory(Path folder) {
    try {
      return Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path shards(FloatMatrix pool, Path folder) {
    Path shards = directory(folder.resolve("shards"));
    int third = pool.rows() / 3;
    write(shards.resolve("part-10.npy"), out -> Npy.write(out, pool.slice(third, 2 * third)));
    write(shards.resolve("part-00.npy"), out -> Npy.write(out, pool.slice(0, third)));
    write(shards.resolve("part-20.npy"), out -> Npy.write(out, pool.slice(2 * third, pool.rows())));
    text(shards.resolve("notes.txt"), "no array");
    return shards;
  }

  private static void writeDoubles(OutputStream out, FloatMatrix pool) throws IOException {
    Npy.writeHeader(out, "<f8", pool.rows() + ", " + pool.columns());
    ByteBuffer bytes = ByteBuffer.allocate(8 * pool.rows() * pool.columns());
    bytes.order(ByteOrder.LITTLE_ENDIAN);
    for (float value : pool.array()) {
      bytes.putDouble(value);
    }
    out.write(bytes.array());
  }

  private static void writeNpz(
      OutputStream out, boolean stored, FloatMatrix pool, IntFunction<String> id)
      throws IOException {
    ZipOutputStream zip = new ZipOutputStream(out);
    zip.setLevel(stored ? 0 : 9);
    zip.putNextEntry(new ZipEntry("embeddings.npy"));
    Npy.write(zip, pool);
    zip.closeEntry();
    zip.putNextEntry(new ZipEntry("file_paths.npy"));
    int width = IntStream.range(0, pool.rows()).map(row -> id.apply(row).length()).max().orElse(1);
    Npy.writeHeader(zip, "<U" + width, pool.rows() + ",");
    for (int row = 0; row < pool.rows(); row++) {
      ByteBuffer bytes = ByteBuffer.allocate(4 * width).order(ByteOrder.LITTLE_ENDIAN);
      id.apply(row).codePoints().forEach(bytes::putInt);
      zip.write(bytes.array());
    }
    zip.closeEntry();
    zip.finish();
  }

  static String quoted(String text) {
    return '"' + text.replace("\"", "\"\"") + '"';
  }

  static String escaped(String text) {
    return '"' + text.replace("\"", "\\\"") + '"';
  }

  private static String csv(FloatMatrix pool, IntFunction<String> id, boolean columns) {
    StringBuilder text = new StringBuilder("id,");
    text.append(
        columns
            ? IntStream.range(0, pool.columns())
                .mapToObj(d -> "f" + d)
                .collect(Collectors.joining(","))
            : "embedding");
    text.append("\r\n");
    for (int row = 0; row < pool.rows(); row++) {
      String list = Arrays.toString(pool.row(row));
      text.append(quoted(id.apply(row))).append(',');
      text.append(columns ? list.replaceAll("[\\[\\] ]", "") : quoted(list)).append("\r\n");
    }
    return text.toString();
  }

  private static String jsonl(FloatMatrix pool, IntFunction<String> id, boolean columns) {
    StringBuilder text = new StringBuilder();
    for (int row = 0; row < pool.rows(); row++) {
      float[] values = pool.row(row);
      text.append("{\"id\": ").append(escaped(id.apply(row))).append(", ");
      text.append(
          columns
              ? IntStream.range(0, values.length)
                  .mapToObj(d -> "\"f" + d + "\": " + values[d])
                  .collect(Collectors.joining(", "))
              : "\"embedding\": " + Arrays.toString(values));
      text.append(", \"other\": {\"nested\": [1, 2]}}\n");
    }
    return text.toString();
  }

  private static Path parquet(
      Path file, FloatMatrix pool, IntFunction<String> id, int from, int to) {
    Path lines = file.resolveSibling(file.getFileName() + ".jsonl");
    text(lines, jsonl(pool.slice(from, to), row -> id.apply(from + row), false));
    sql(
        "COPY (SELECT id, embedding::FLOAT[] AS embedding, true AS keep FROM read_json('"
            + lines
            + "', columns={id: 'VARCHAR', embedding: 'FLOAT[]'})) TO '"
            + file
            + "' (FORMAT parquet)");
    try {
      Files.delete(lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return file;
  }

  static void sql(String statement) {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement sql = connection.createStatement()) {
      sql.execute(statement);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Writes the labels of the last items of a pool. */
  static Path labels(String format, IntFunction<String> id, int size, int[] classes, Path folder) {
    int first = size - classes.length;
    StringBuilder text = new StringBuilder();
    switch (format) {
      case "csv":
        text.append("label,id\n");
        for (int i = 0; i < classes.length; i++) {
          text.append(classes[i]).append(',').append(quoted(id.apply(first + i))).append('\n');
        }
        return text(folder.resolve("labels.csv"), text.toString());
      case "jsonl":
      case "parquet":
        for (int i = 0; i < classes.length; i++) {
          text.append("{\"id\": ").append(escaped(id.apply(first + i)));
          text.append(", \"label\": ").append(classes[i]).append("}\n");
        }
        Path lines = text(folder.resolve("labels.jsonl"), text.toString());
        if (format.equals("parquet")) {
          Path file = folder.resolve("labels.parquet");
          sql("COPY (FROM read_json('" + lines + "')) TO '" + file + "' (FORMAT parquet)");
          return file;
        }
        return lines;
      case "npy":
        long[] all = new long[size];
        Arrays.fill(all, -1);
        for (int i = 0; i < classes.length; i++) {
          all[first + i] = classes[i];
        }
        return write(folder.resolve("labels.npy"), out -> Npy.write(out, all));
      case "label-studio":
        for (int i = 0; i < classes.length; i++) {
          text.append(i == 0 ? "[" : ",\n").append(task(id.apply(first + i), classes[i]));
        }
        return text(folder.resolve("export.json"), text + "]");
      case "label-studio-min":
        for (int i = 0; i < classes.length; i++) {
          text.append(i == 0 ? "[" : ",\n");
          text.append("{\"image\": \"/x.png\", \"alfamix_id\": ");
          text.append(escaped(id.apply(first + i))).append(", \"id\": ").append(9000 + i);
          text.append(", \"label\": \"").append(classes[i]);
          text.append("\", \"annotator\": 1, \"annotation_id\": 3, \"lead_time\": 2.5}");
        }
        return text(folder.resolve("export-min.json"), text + "]");
      default:
        throw new IllegalArgumentException(format);
    }
  }

  private static String task(String id, int label) {
    return "{\"id\": 17, \"data\": {\"image\": \"/x.png\", \"alfamix_id\": "
        + escaped(id)
        + "}, \"annotations\": [{\"was_cancelled\": false, \"result\": [{\"type\": \"choices\","
        + " \"from_name\": \"label\", \"to_name\": \"image\", \"value\": {\"choices\": [\""
        + label
        + "\"]}}]}], \"predictions\": []}";
  }

  /** Writes a head and returns the options that read it. */
  static String[] head(String format, FloatMatrix weight, float[] bias, Path folder) {
    switch (format) {
      case "npz":
        return new String[] {
          "--head", bundle(folder.resolve("head.npz"), "weight", weight, "bias", bias).toString()
        };
      case "npz-W-b":
        return new String[] {
          "--head", bundle(folder.resolve("head.npz"), "W", weight, "b", bias).toString()
        };
      case "safetensors":
      case "fc":
        String prefix = format.equals("fc") ? "fc." : "";
        return new String[] {
          "--head",
          write(
                  folder.resolve("head.safetensors"),
                  out -> writeSafetensors(out, prefix, weight, bias))
              .toString()
        };
      case "npy-files":
        return new String[] {
          "--head-weight",
          write(folder.resolve("weight.npy"), out -> Npy.write(out, weight)).toString(),
          "--head-bias",
          write(folder.resolve("bias.npy"), out -> Npy.write(out, bias)).toString()
        };
      default:
        throw new IllegalArgumentException(format);
    }
  }

  static Path bundle(
      Path file, String weightName, FloatMatrix weight, String biasName, float[] bias) {
    return write(
        file,
        out -> {
          ZipOutputStream zip = new ZipOutputStream(out);
          zip.putNextEntry(new ZipEntry(weightName + ".npy"));
          Npy.write(zip, weight);
          zip.closeEntry();
          if (biasName != null) {
            zip.putNextEntry(new ZipEntry(biasName + ".npy"));
            Npy.write(zip, bias);
            zip.closeEntry();
          }
          zip.finish();
        });
  }

  private static void writeSafetensors(
      OutputStream out, String prefix, FloatMatrix weight, float[] bias) throws IOException {
    int weightBytes = 4 * weight.rows() * weight.columns();
    int end = weightBytes + 4 * bias.length;
    String header =
        """
        {"%sbias":{"dtype":"F32","shape":[%d],"data_offsets":[%d,%d]},\
        "%sweight":{"dtype":"F32","shape":[%d,%d],"data_offsets":[0,%d]}}\
        """
            .formatted(
                prefix,
                bias.length,
                weightBytes,
                end,
                prefix,
                weight.rows(),
                weight.columns(),
                weightBytes);
    ByteBuffer bytes =
        ByteBuffer.allocate(8 + header.length() + end).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(header.length()).put(header.getBytes(StandardCharsets.US_ASCII));
    for (float value : weight.copy().array()) {
      bytes.putFloat(value);
    }
    for (float value : bias) {
      bytes.putFloat(value);
    }
    out.write(bytes.array());
  }
}
