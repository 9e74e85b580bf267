package org.alfamix.datasets;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.ZipException;

/** Reads the members of a tar archive. Supports the subset of the format that data sets use. */
final class Tar implements AutoCloseable {
  private static final int BLOCK = 512;

  private final InputStream in;
  private String name;
  private long remaining;
  private long padding;

  Tar(InputStream in) {
    this.in = in;
  }

  /** Moves to the next member; returns false at the end of the archive. */
  boolean next() throws IOException {
    in.skipNBytes(remaining + padding);
    remaining = 0;
    padding = 0;
    byte[] header = in.readNBytes(BLOCK);
    if (header.length == 0 || header[0] == 0) {
      return false;
    }
    if (header.length < BLOCK) {
      throw new EOFException("the archive is truncated within a header");
    }
    String prefix = text(header, 345, 155);
    boolean ustar = text(header, 257, 5).equals("ustar");
    name = (ustar && !prefix.isEmpty() ? prefix + "/" : "") + text(header, 0, 100);
    remaining = number(header);
    padding = (BLOCK - remaining % BLOCK) % BLOCK;
    return true;
  }

  String name() {
    return name;
  }

  /** Returns the content of the current member. */
  InputStream content() {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] target, int offset, int length) throws IOException {
        if (remaining == 0) {
          return -1;
        }
        int read = in.read(target, offset, (int) Math.min(length, remaining));
        if (read < 0) {
          throw new EOFException("the archive is truncated within " + name);
        }
        remaining -= read;
        return read;
      }
    };
  }

  private static String text(byte[] header, int from, int length) {
    int end = from;
    while (end < from + length && header[end] != 0) {
      end++;
    }
    return new String(header, from, end - from, StandardCharsets.UTF_8);
  }

  private static long number(byte[] header) throws IOException {
    String octal = text(header, 124, 12).strip();
    try {
      long number = octal.isEmpty() ? 0 : Long.parseLong(octal, 8);
      if (number < 0) {
        throw new ZipException("a member has a negative size");
      }
      return number;
    } catch (NumberFormatException e) {
      throw new ZipException("not a tar archive");
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
