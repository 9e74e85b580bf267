package org.alfamix.lab.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Collectors;
import org.alfamix.io.table.Csv;

/** File formats of tables for programs and papers. */
public enum TableFormat {
  CSV {
    @Override
    String write(List<DataTable> tables) {
      return tables.stream()
          .map(table -> "# " + table.id() + ": " + table.title() + "\n" + csv(table))
          .collect(Collectors.joining("\n"));
    }
  },
  JSON {
    @Override
    String write(List<DataTable> tables) {
      StringWriter text = new StringWriter();
      try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
        json.useDefaultPrettyPrinter();
        json.writeStartObject();
        for (DataTable shown : tables) {
          DataTable table = shown.forPrograms();
          json.writeObjectFieldStart(table.id());
          json.writeStringField("title", table.title());
          json.writeStringField("note", table.note());
          json.writeArrayFieldStart("rows");
          for (List<Cell> row : table.rows()) {
            json.writeStartObject();
            for (int c = 0; c < row.size(); c++) {
              json.writeFieldName(table.columns().get(c));
              write(json, row.get(c));
            }
            json.writeEndObject();
          }
          json.writeEndArray();
          json.writeEndObject();
        }
        json.writeEndObject();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return text + "\n";
    }

    private void write(JsonGenerator json, Cell cell) throws IOException {
      if (cell.value() == null) {
        json.writeNull();
      } else if (cell.value() instanceof Long count) {
        json.writeNumber(count);
      } else if (cell.value() instanceof Double number) {
        json.writeNumber(number);
      } else {
        json.writeString(cell.value().toString());
      }
    }
  },
  LATEX {
    @Override
    String write(List<DataTable> tables) {
      return tables.stream().map(TableFormat::latex).collect(Collectors.joining("\n"));
    }
  },
  MARKDOWN {
    @Override
    String write(List<DataTable> tables) {
      return tables.stream()
          .map(table -> "### " + table.title() + "\n\n" + markdown(table) + note(table))
          .collect(Collectors.joining("\n"));
    }

    private String note(DataTable table) {
      return table.note().isEmpty() ? "" : "\n" + table.note() + "\n";
    }
  };

  /** Formats all tables as one text. */
  abstract String write(List<DataTable> tables);

  /** Formats a table as CSV with full precision; empty cells have no text. */
  static String csv(DataTable shown) {
    DataTable table = shown.forPrograms();
    StringBuilder text = new StringBuilder();
    text.append(table.columns().stream().map(Csv::quoted).collect(Collectors.joining(",")));
    text.append('\n');
    for (List<Cell> row : table.rows()) {
      text.append(
          row.stream()
              .map(cell -> cell.value() == null ? "" : Csv.quoted(cell.value().toString()))
              .collect(Collectors.joining(",")));
      text.append('\n');
    }
    return text.toString();
  }

  /** Formats a table as GitHub Flavored Markdown; numbers are right-aligned. */
  static String markdown(DataTable table) {
    StringBuilder text = new StringBuilder(markdownRow(table.columns()));
    text.append('|');
    for (int c = 0; c < table.columns().size(); c++) {
      text.append(table.isNumeric(c) ? "--:|" : "---|");
    }
    text.append('\n');
    for (List<Cell> row : table.rows()) {
      text.append(markdownRow(row.stream().map(Cell::shown).toList()));
    }
    return text.toString();
  }

  private static String markdownRow(List<String> cells) {
    return cells.stream()
        .map(cell -> cell.replaceAll("([\\\\|*_<`])", "\\\\$1"))
        .collect(Collectors.joining(" | ", "| ", " |\n"));
  }

  /** Formats a table for the LaTeX package booktabs. */
  private static String latex(DataTable table) {
    StringBuilder text = new StringBuilder("\\begin{table}\n  \\centering\n  \\begin{tabular}{");
    for (int c = 0; c < table.columns().size(); c++) {
      text.append(table.isNumeric(c) ? 'r' : 'l');
    }
    text.append("}\n    \\toprule\n");
    text.append(latexRow(table.columns()));
    text.append("    \\midrule\n");
    for (List<Cell> row : table.rows()) {
      text.append(latexRow(row.stream().map(Cell::shown).toList()));
    }
    text.append("    \\bottomrule\n  \\end{tabular}\n  \\caption{");
    text.append(latexText(table.title())).append(".}\n  \\label{tab:");
    return text.append(table.id().replaceAll("[^A-Za-z0-9-]", "-"))
        .append("}\n\\end{table}\n")
        .toString();
  }

  private static String latexRow(List<String> cells) {
    return cells.stream()
        .map(TableFormat::latexText)
        .collect(Collectors.joining(" & ", "    ", " \\\\\n"));
  }

  private static String latexText(String text) {
    return text.replace("\\", "\\textbackslash ")
        .replaceAll("([&%$#_{}])", "\\\\$1")
        .replace("~", "\\textasciitilde ")
        .replace("^", "\\textasciicircum ")
        .replaceFirst("^\\[", "{}[") // after the end of a row a bracket would be an option
        .replace("±", "$\\pm$")
        .replace("–", "--");
  }
}
