package org.alfamix.select;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.alfamix.io.AtomicFiles;
import org.alfamix.io.array.Npy;
import org.alfamix.io.table.Csv;
import org.alfamix.io.table.TableEngine.Column;
import org.alfamix.io.table.TableEngine.Type;
import org.alfamix.io.table.Tables;
import org.alfamix.strategy.Pick;

/**
 * Writes the picks of a batch: {@code id, rank, score, cluster, predicted, reason}. Ranks count
 * from 1. Values that a strategy does not have (a cluster, a prediction) are empty. Picks of texts
 * also have the column {@code text}.
 *
 * @param labelStudio the names of the labelling interface for tasks of Label Studio
 */
public record BatchWriter(LabelStudioTasks labelStudio) {
  private static final Pattern PLACE = Pattern.compile("\\{(id|text)}");

  /**
   * The names that tasks for Label Studio need.
   *
   * @param fromName the control tag, as in {@code <Choices name="label" …>}
   * @param toName the object tag, as in {@code <Image name="image" …>}
   * @param data fields of the task's data; {@code {id}} stands for the id of the item, and {@code
   *     {text}} for its text
   */
  public record LabelStudioTasks(String fromName, String toName, Map<String, String> data) {
    public LabelStudioTasks {
      data = new LinkedHashMap<>(data);
    }

    /** The names for texts. */
    public static LabelStudioTasks texts() {
      return new LabelStudioTasks("label", "text", Map.of("text", "{text}"));
    }

    /** The names for images whose address is the id. */
    public static LabelStudioTasks standard() {
      return new LabelStudioTasks("label", "image", Map.of("image", "{id}"));
    }
  }

  /** Returns a writer with the standard names for Label Studio. */
  public static BatchWriter standard() {
    return new BatchWriter(LabelStudioTasks.standard());
  }

  /** Writes the picks to a file, which appears only when it is complete. */
  public void write(Batch batch, BatchFormat format, Path file) {
    try (AtomicFiles files = new AtomicFiles()) {
      write(batch.list(), format, file, files);
      files.commit();
    }
  }

  /** Writes one of several files that appear together. */
  public void write(PickList list, BatchFormat format, Path file, AtomicFiles files) {
    if (format == BatchFormat.PARQUET) {
      files.writePath(file, temporary -> Tables.engine().writeParquet(temporary, columns(list)));
    } else {
      files.write(file, out -> write(list, format, out));
    }
  }

  /** Writes to a stream, which stays open; Parquet needs a file. */
  public void write(PickList list, BatchFormat format, OutputStream out) throws IOException {
    switch (format) {
      case CSV -> writeCsv(list, out);
      case JSONL -> writeJsonLines(list, out);
      case NPY -> Npy.write(out, list.picks().stream().mapToLong(Pick::item).toArray());
      case LABEL_STUDIO -> writeTasks(list, out);
      case PARQUET -> throw new IllegalArgumentException("Parquet can only be written to a file.");
    }
    out.flush();
  }

  private static void writeCsv(PickList list, OutputStream out) throws IOException {
    Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
    boolean texts = list.pool().hasTexts();
    writer.write("id,rank,score,cluster,predicted,reason" + (texts ? ",text\n" : "\n"));
    for (int p = 0; p < list.picks().size(); p++) {
      Pick pick = list.picks().get(p);
      String predicted = list.className(pick.predicted());
      writer.write(
          String.join(
              ",",
              Csv.quoted(list.id(pick)),
              Integer.toString(p + 1),
              number(pick.score()),
              pick.cluster() < 0 ? "" : Integer.toString(pick.cluster()),
              predicted == null ? "" : Csv.quoted(predicted),
              Csv.quoted(pick.reason())));
      writer.write(texts ? "," + Csv.quoted(list.pool().text(pick.item())) + "\n" : "\n");
    }
    writer.flush();
  }

  /** Formats a number like Python and NumPy: nan, inf, -inf. */
  private static String number(double value) {
    if (Double.isNaN(value)) {
      return "nan";
    }
    return Double.isInfinite(value) ? (value > 0 ? "inf" : "-inf") : Double.toString(value);
  }

  private static void writeJsonLines(PickList list, OutputStream out) throws IOException {
    JsonFactory json = new JsonFactory();
    for (int p = 0; p < list.picks().size(); p++) {
      Pick pick = list.picks().get(p);
      try (JsonGenerator line =
          json.createGenerator(out).disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)) {
        line.writeStartObject();
        line.writeStringField("id", list.id(pick));
        line.writeNumberField("rank", p + 1);
        writeNumber(line, "score", pick.score());
        if (pick.cluster() < 0) {
          line.writeNullField("cluster");
        } else {
          line.writeNumberField("cluster", pick.cluster());
        }
        line.writeStringField("predicted", list.className(pick.predicted()));
        line.writeStringField("reason", pick.reason());
        if (list.pool().hasTexts()) {
          line.writeStringField("text", list.pool().text(pick.item()));
        }
        line.writeEndObject();
        line.writeRaw('\n');
      }
    }
  }

  /** Writes null for numbers that JSON cannot represent. */
  private static void writeNumber(JsonGenerator json, String name, double value)
      throws IOException {
    if (Double.isFinite(value)) {
      json.writeNumberField(name, value);
    } else {
      json.writeNullField(name);
    }
  }

  /**
   * Label Studio shows tasks with the lowest prediction score first: ours ascends with the rank.
   */
  private void writeTasks(PickList list, OutputStream out) throws IOException {
    DefaultPrettyPrinter pretty = new DefaultPrettyPrinter();
    pretty.indentArraysWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
    try (JsonGenerator json =
        new JsonFactory()
            .createGenerator(out)
            .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
            .setPrettyPrinter(pretty)) {
      json.writeStartArray();
      for (int p = 0; p < list.picks().size(); p++) {
        writeTask(json, list, p);
      }
      json.writeEndArray();
      json.writeRaw('\n');
    }
  }

  private void writeTask(JsonGenerator json, PickList list, int p) throws IOException {
    Pick pick = list.picks().get(p);
    String id = list.id(pick);
    json.writeStartObject();
    json.writeObjectFieldStart("data");
    json.writeStringField(LabelStudioExport.ID, id);
    for (Map.Entry<String, String> field : labelStudio.data().entrySet()) {
      json.writeStringField(field.getKey(), filled(field.getValue(), list, pick));
    }
    json.writeEndObject();
    json.writeArrayFieldStart("predictions");
    json.writeStartObject();
    json.writeStringField("model_version", "alfamix/" + list.strategy());
    json.writeNumberField("score", (p + 1.0) / list.picks().size());
    json.writeArrayFieldStart("result");
    String predicted = list.className(pick.predicted());
    if (predicted != null) {
      json.writeStartObject();
      json.writeStringField("from_name", labelStudio.fromName());
      json.writeStringField("to_name", labelStudio.toName());
      json.writeStringField("type", "choices");
      json.writeObjectFieldStart("value");
      json.writeArrayFieldStart("choices");
      json.writeString(predicted);
      json.writeEndArray();
      json.writeEndObject();
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
    json.writeEndArray();
    json.writeObjectFieldStart("meta");
    json.writeNumberField("rank", p + 1);
    json.writeStringField("reason", pick.reason());
    json.writeEndObject();
    json.writeEndObject();
  }

  /** Replaces {id} and {text} in one pass: a text may contain such a word itself. */
  private static String filled(String template, PickList list, Pick pick) {
    Matcher places = PLACE.matcher(template);
    return places.replaceAll(
        place ->
            Matcher.quoteReplacement(
                place.group().equals("{id}")
                    ? list.id(pick)
                    : list.pool().hasTexts() ? list.pool().text(pick.item()) : place.group()));
  }

  private static List<Column> columns(PickList list) {
    List<Pick> picks = list.picks();
    List<Column> columns = new ArrayList<>(columnsWithoutTexts(list));
    if (list.pool().hasTexts()) {
      columns.add(
          new Column(
              "text", Type.TEXT, picks.stream().map(p -> list.pool().text(p.item())).toList()));
    }
    return columns;
  }

  private static List<Column> columnsWithoutTexts(PickList list) {
    List<Pick> picks = list.picks();
    return List.of(
        new Column("id", Type.TEXT, picks.stream().map(p -> list.id(p)).toList()),
        new Column(
            "rank",
            Type.LONG,
            IntStream.rangeClosed(1, picks.size()).mapToObj(Long::valueOf).toList()),
        new Column("score", Type.DOUBLE, picks.stream().map(Pick::score).toList()),
        new Column(
            "cluster",
            Type.LONG,
            picks.stream()
                .map(p -> p.cluster() < 0 ? null : (Long) (long) p.cluster())
                .collect(Collectors.toList())),
        new Column(
            "predicted",
            Type.TEXT,
            picks.stream().map(p -> list.className(p.predicted())).collect(Collectors.toList())),
        new Column("reason", Type.TEXT, picks.stream().map(Pick::reason).toList()));
  }

  /** Writes every candidate: {@code id,flip_cap}, or the row numbers as {@code .npy}. */
  public static void writeCandidates(Batch batch, Path file, AtomicFiles files) {
    int[] rows = batch.candidateRows();
    double[] caps = batch.flipCaps();
    if (BatchFormat.ofFile(file).filter(BatchFormat.NPY::equals).isPresent()) {
      files.write(file, out -> Npy.write(out, IntStream.of(rows).asLongStream().toArray()));
      return;
    }
    files.write(
        file,
        out -> {
          Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
          writer.write("id,flip_cap\n");
          for (int c = 0; c < rows.length; c++) {
            writer.write(Csv.quoted(batch.pool().id(rows[c])) + "," + number(caps[c]) + "\n");
          }
          writer.flush();
        });
  }
}
