package org.alfamix.io.table;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.alfamix.io.DataException;
import org.alfamix.io.Utf8;

/**
 * Comma- or tab-separated values according to RFC 4180, with a header: fields may be quoted, and
 * quotes in them are doubled. Values are converted to numbers only on request, so that an id 007
 * remains 007.
 */
public final class Csv implements TableSource {
  /** A longer field is a mistake: it would exhaust the memory. */
  private static final int MAX_FIELD = 100_000_000;

  private static final int MAX_COLUMNS = 1_000_000;

  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private final String name;
  private final char separator;
  private final Reader reader;
  private final List<String> columns;
  private List<String> row;

  /** The first line of the current row. */
  private long line;

  /** The first line of the next row. */
  private long nextLine = 1;

  private int pushedBack = -1;

  /** Characters that were read ahead; {@link Reader#read()} is slow. */
  private final char[] buffer = new char[1 << 16];

  private int bufferAt;
  private int bufferEnd;

  private Csv(String name, char separator, Reader reader) throws IOException {
    this.name = name;
    this.separator = separator;
    this.reader = reader;
    int first = read();
    pushedBack = first == BYTE_ORDER_MARK ? -1 : first;
    List<String> header = readRow();
    if (header == null) {
      throw new DataException(name + ": empty file; expected a header with the column names.");
    }
    this.columns = List.copyOf(header.stream().map(String::strip).toList());
    Set<String> seen = new HashSet<>();
    for (String column : columns) {
      if (!column.isEmpty() && !seen.add(column)) {
        throw new DataException(name + ": duplicate column '" + column + "'.");
      }
    }
  }

  /** Opens a {@code .csv} or {@code .tsv} file, optionally compressed as {@code .gz}. */
  public static Csv open(Path file) {
    String lower = file.getFileName().toString().toLowerCase(Locale.ROOT);
    try {
      Reader reader = new InputStreamReader(content(file), StandardCharsets.UTF_8.newDecoder());
      return new Csv(file.toString(), lower.matches(".*\\.tsv(\\.gz)?") ? '\t' : ',', reader);
    } catch (CharacterCodingException e) {
      try (InputStream in = content(file)) {
        throw Utf8.invalid(file.toString(), in, e);
      } catch (IOException again) {
        throw DataException.unreadable(file, again);
      }
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
  }

  private static InputStream content(Path file) throws IOException {
    InputStream in = Files.newInputStream(file);
    return file.getFileName().toString().toLowerCase(Locale.ROOT).endsWith(".gz")
        ? new PlausibleGzip(file, new GZIPInputStream(in, 1 << 16))
        : in;
  }

  /** Refuses files that were made to exhaust memory: real tables do not shrink that much. */
  private static final class PlausibleGzip extends FilterInputStream {
    private static final long ALWAYS_ALLOWED = 1L << 30;
    private static final int MAX_RATIO = 500;

    private final Path file;
    private final long limit;
    private long read;

    PlausibleGzip(Path file, InputStream in) throws IOException {
      super(in);
      this.file = file;
      this.limit = Math.max(ALWAYS_ALLOWED, MAX_RATIO * Files.size(file));
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int count = super.read(target, offset, length);
      read += Math.max(0, count);
      if (read > limit) {
        throw new DataException(
            "%s: expands to more than %d times its size; unpack it first if it is meant."
                .formatted(file, MAX_RATIO));
      }
      return count;
    }
  }

  /** Names the line of invalid bytes, if the content can be read again. */
  private DataException invalid(CharacterCodingException cause) {
    Path file = Path.of(name);
    if (!Files.isRegularFile(file)) {
      return DataException.unreadable(file, cause);
    }
    try (InputStream in = content(file)) {
      return Utf8.invalid(name, in, cause);
    } catch (IOException e) {
      return DataException.unreadable(file, e);
    }
  }

  /**
   * Reads comma-separated values from a stream.
   *
   * @param name the source, for messages
   */
  public static Csv read(String name, InputStream in) {
    try {
      return new Csv(name, ',', new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder()));
    } catch (IOException e) {
      throw DataException.unreadable(Path.of(name), e);
    }
  }

  /** Returns a field as written to a file: quoted if necessary. */
  public static String quoted(String text) {
    boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<String> columns() {
    return columns;
  }

  @Override
  public boolean next() {
    try {
      row = readRow();
    } catch (CharacterCodingException e) {
      throw invalid(e);
    } catch (IOException e) {
      throw DataException.unreadable(Path.of(name), e);
    }
    if (row != null && row.size() != columns.size()) {
      throw new DataException(
          "%s, %s: expected %d fields as in the header, found %d."
              .formatted(name, place(), columns.size(), row.size()));
    }
    return row != null;
  }

  @Override
  public String place() {
    return "line " + line;
  }

  @Override
  public String text(int column) {
    String text = row.get(column);
    return text.isEmpty() ? null : text;
  }

  @Override
  public float number(int column) {
    return Numbers.parse(this, column, text(column));
  }

  @Override
  public float[] vector(int column) {
    return Numbers.parseList(this, column, text(column));
  }

  private int read() throws IOException {
    if (pushedBack >= 0) {
      int c = pushedBack;
      pushedBack = -1;
      return c;
    }
    if (bufferAt == bufferEnd) {
      bufferEnd = reader.read(buffer);
      bufferAt = 0;
      if (bufferEnd < 0) {
        bufferEnd = 0;
        return -1;
      }
    }
    char next = buffer[bufferAt++];
    if (next == 0) {
      throw new DataException(
          "%s, line %d: found a NUL character, expected text in UTF-8.".formatted(name, nextLine));
    }
    return next;
  }

  /** Returns the fields of the next row, skipping empty lines; null at the end. */
  private List<String> readRow() throws IOException {
    List<String> fields = new ArrayList<>(columns == null ? 8 : columns.size());
    StringBuilder field = new StringBuilder();
    line = nextLine;
    boolean any = false;
    // A carriage return within quotes belongs to the field, not to the line break.
    int quoted = 0;
    for (int c = read(); ; c = read()) {
      if (c < 0 || c == '\n') {
        nextLine++;
        if (field.length() > quoted && field.charAt(field.length() - 1) == '\r') {
          field.setLength(field.length() - 1);
        }
        if (!any && field.length() == 0) {
          if (c < 0) {
            return null;
          }
          line = nextLine;
          continue;
        }
        fields.add(field.toString());
        return fields;
      }
      if (c == separator) {
        any = true;
        if (fields.size() == MAX_COLUMNS) {
          throw new DataException(
              "%s, %s: found more than %,d columns.".formatted(name, place(), MAX_COLUMNS));
        }
        fields.add(field.toString());
        field.setLength(0);
        quoted = 0;
      } else if (c == '"' && field.length() == 0) {
        any = true;
        readQuoted(field);
        quoted = field.length();
      } else {
        append(field, c);
      }
    }
  }

  private void readQuoted(StringBuilder field) throws IOException {
    for (int c = read(); ; c = read()) {
      if (c < 0) {
        throw new DataException(name + ", " + place() + ": unterminated quoted field.");
      }
      if (c == '\n') {
        nextLine++;
      }
      if (c == '"') {
        int after = read();
        if (after != '"') {
          pushedBack = after;
          return;
        }
      }
      append(field, c);
    }
  }

  private void append(StringBuilder field, int c) {
    if (field.length() == MAX_FIELD) {
      throw new DataException(
          "%s, %s: found a field of more than %,d characters; is a quote missing?"
              .formatted(name, place(), MAX_FIELD));
    }
    field.append((char) c);
  }

  @Override
  public void close() {
    try {
      reader.close();
    } catch (IOException e) {
      // All data were read; a failure to close does not affect them.
    }
  }
}
