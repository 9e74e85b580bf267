package org.alfamix.io;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads texts in UTF-8 and names the line of invalid bytes. */
public final class Utf8 {
  private static final int BLOCK = 1 << 16;
  private static final long MAX_BYTES = 1L << 30;
  private static final String EXPECTED =
      "expected text in UTF-8; convert the file, for example with"
          + " 'iconv -f WINDOWS-1252 -t UTF-8'.";

  private Utf8() {}

  /**
   * Reads a whole file.
   *
   * @throws DataException if it is not valid UTF-8; the message names the line
   */
  public static String read(Path file) {
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw new DataException(file + ": the file has more than 1 GB; use a table instead.");
      }
      String text = Files.readString(file);
      int nul = text.indexOf('\0');
      if (nul >= 0) {
        throw new DataException(
            "%s, line %d: found a NUL character, expected text in UTF-8."
                .formatted(
                    file, 1 + text.substring(0, nul).chars().filter(c -> c == '\n').count()));
      }
      return text.startsWith("\uFEFF") ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      try (InputStream in = Files.newInputStream(file)) {
        throw invalid(file.toString(), in, e);
      } catch (IOException again) {
        throw DataException.unreadable(file, again);
      }
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
  }

  /**
   * Returns an exception for invalid bytes, with the line of the first of them.
   *
   * @param content the whole content
   */
  public static DataException invalid(
      String source, InputStream content, CharacterCodingException cause) throws IOException {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer bytes = ByteBuffer.allocate(BLOCK);
    CharBuffer chars = CharBuffer.allocate(BLOCK);
    long line = 1;
    boolean end = false;
    while (!end) {
      int read = content.read(bytes.array(), bytes.position(), bytes.remaining());
      end = read < 0;
      bytes.position(bytes.position() + Math.max(0, read)).flip();
      CoderResult result = decoder.decode(bytes, chars, end);
      chars.flip();
      line += chars.chars().filter(c -> c == '\n').count();
      chars.clear();
      if (result.isError()) {
        return new DataException("%s, line %d: %s".formatted(source, line, EXPECTED), cause);
      }
      bytes.compact();
    }
    return new DataException("%s: %s".formatted(source, EXPECTED), cause);
  }
}
