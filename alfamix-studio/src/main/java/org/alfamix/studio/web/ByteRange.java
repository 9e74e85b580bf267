package org.alfamix.studio.web;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A part of a file that a player requests by the header {@code Range} (RFC 9110, section 14).
 *
 * @param first its first byte
 * @param last its last byte; before the first one if the range is beyond the end of the file
 */
record ByteRange(long first, long last) {
  private static final Pattern HEADER = Pattern.compile("bytes=(\\d{0,18})-(\\d{0,18})");

  /**
   * Parses a header. Several ranges, other units and invalid headers are ignored; then the whole
   * file is sent.
   *
   * @param header null if there is none
   * @param size of the file in bytes
   */
  static Optional<ByteRange> parse(String header, long size) {
    Matcher matcher = HEADER.matcher(header == null ? "" : header.strip());
    if (!matcher.matches() || matcher.group(1).isEmpty() && matcher.group(2).isEmpty()) {
      return Optional.empty();
    }
    if (matcher.group(1).isEmpty()) {
      long count = Long.parseLong(matcher.group(2));
      return Optional.of(new ByteRange(count == 0 ? size : Math.max(0, size - count), size - 1));
    }
    long first = Long.parseLong(matcher.group(1));
    long last =
        matcher.group(2).isEmpty()
            ? size - 1
            : Math.min(size - 1, Long.parseLong(matcher.group(2)));
    boolean sensible = matcher.group(2).isEmpty() || first <= Long.parseLong(matcher.group(2));
    return sensible ? Optional.of(new ByteRange(first, last)) : Optional.empty();
  }

  /** Returns whether there is anything to send. */
  boolean isWithinFile() {
    return first <= last;
  }

  long length() {
    return last - first + 1;
  }
}
