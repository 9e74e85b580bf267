package org.alfamix.io.array;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.alfamix.io.DataException;

/** NumPy's {@code .npz} format: a zip of {@code .npy} files, compressed or not. */
public final class Npz implements ArrayBundle {
  private static final String SUFFIX = ".npy";

  /** Size in bytes above which an array is unpacked to a temporary file. */
  private static final long MAX_IN_MEMORY = 64L << 20;

  private record Entry(String name, NpyHeader header) {}

  private final Path file;
  private final List<Entry> entries;

  private Npz(Path file, List<Entry> entries) {
    this.file = file;
    this.entries = entries;
  }

  /**
   * Reads the headers of all arrays.
   *
   * @throws DataException if the file is not a readable {@code .npz}
   */
  public static Npz open(Path file) {
    if (!Files.exists(file)) {
      throw new DataException(file + ": no such file.");
    }
    List<Entry> entries = new ArrayList<>();
    try (ZipFile zip = new ZipFile(file.toFile())) {
      for (Enumeration<? extends ZipEntry> e = zip.entries(); e.hasMoreElements(); ) {
        ZipEntry entry = e.nextElement();
        if (entry.getName().endsWith(SUFFIX)) {
          String name = withoutSuffix(entry.getName());
          try (InputStream in = new BufferedInputStream(zip.getInputStream(entry))) {
            entries.add(new Entry(name, NpyHeader.read(in, file + ": " + name)));
          }
        }
      }
    } catch (ZipException e) {
      throw new DataException(
          file + ": not a readable .npz file, or truncated: " + e.getMessage() + ".", e);
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
    return new Npz(file, entries);
  }

  private static String withoutSuffix(String name) {
    return name.substring(0, name.length() - SUFFIX.length());
  }

  @Override
  public String name() {
    return file.toString();
  }

  @Override
  public List<String> names() {
    return entries.stream().map(Entry::name).toList();
  }

  @Override
  public Optional<long[]> shape(String name) {
    return entries.stream()
        .filter(entry -> entry.name().equals(name))
        .filter(entry -> entry.header().isNumeric())
        .map(entry -> entry.header().shape().clone())
        .findFirst();
  }

  @Override
  public NumericArray array(String name) {
    String full = file + ": " + name;
    NpyHeader header = header(name);
    ElementType type = header.requireNumbers(full);
    return new NumericArray(
        full, content(name, header), 0, type, header.byteOrder(), header.shape());
  }

  /** Reads an array of strings or numbers as strings. */
  public String[] texts(String name) {
    String full = file + ": " + name;
    NpyHeader header = header(name);
    if (header.kind() == 'O') {
      throw new DataException(
          full + ": an array of pickled Python objects, expected strings (save it as dtype str).");
    }
    if (header.kind() == 'f') {
      float[] numbers = array(name).readFloats();
      String[] result = new String[numbers.length];
      for (int i = 0; i < result.length; i++) {
        // pandas turns columns of integers into floats: 3.0 is 3.
        boolean whole = numbers[i] == (long) numbers[i];
        result[i] = whole ? Long.toString((long) numbers[i]) : Float.toString(numbers[i]);
      }
      return result;
    }
    if (!header.isText()) {
      long[] numbers = array(name).readLongs();
      String[] result = new String[numbers.length];
      for (int i = 0; i < result.length; i++) {
        result[i] = Long.toString(numbers[i]);
      }
      return result;
    }
    if (header.shape().length != 1) {
      throw new DataException(full + ": expected one dimension.");
    }
    int bytesEach = header.kind() == 'U' ? 4 * header.width() : header.width();
    String[] result = new String[Math.toIntExact(header.shape()[0])];
    ByteSource content = content(name, header);
    Charset charset = header.kind() == 'U' ? utf32(header) : StandardCharsets.UTF_8;
    byte[] bytes = new byte[bytesEach];
    for (int i = 0; i < result.length; i++) {
      content.read((long) i * bytesEach, ByteBuffer.wrap(bytes));
      String padded = new String(bytes, charset);
      int end = padded.length();
      while (end > 0 && padded.charAt(end - 1) == 0) {
        end--;
      }
      result[i] = padded.substring(0, end);
    }
    return result;
  }

  private static Charset utf32(NpyHeader header) {
    return Charset.forName(header.byteOrder() == ByteOrder.BIG_ENDIAN ? "UTF-32BE" : "UTF-32LE");
  }

  private NpyHeader header(String name) {
    return entries.stream()
        .filter(entry -> entry.name().equals(name))
        .findFirst()
        .orElseThrow(() -> noSuchArray(name))
        .header();
  }

  /** Returns the decompressed data after the header. */
  private ByteSource content(String name, NpyHeader header) {
    String full = file + ": " + name;
    long expected = header.dataLength();
    try (ZipFile zip = new ZipFile(file.toFile());
        InputStream in =
            new BufferedInputStream(zip.getInputStream(zip.getEntry(name + SUFFIX)), 1 << 16)) {
      in.skipNBytes(header.length());
      if (expected <= MAX_IN_MEMORY) {
        byte[] bytes = in.readNBytes((int) expected);
        requireLength(full, bytes.length, expected);
        return ByteSource.of(bytes);
      }
      return unpacked(full, in, expected);
    } catch (IOException e) {
      String reason = e instanceof EOFException ? "unexpected end of file" : e.getMessage();
      throw new DataException(full + ": cannot be read: " + reason + ".", e);
    }
  }

  private static ByteSource unpacked(String name, InputStream in, long expected) {
    try {
      FileChannel channel = TemporaryChannel.open();
      ReadableByteChannel bytes = Channels.newChannel(in);
      long done = 0;
      for (long now = 1; now > 0 && done < expected; done += now) {
        now = channel.transferFrom(bytes, done, Math.min(1L << 26, expected - done));
      }
      requireLength(name, done, expected);
      return ByteSource.of(channel, name);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "Cannot write a temporary file for " + name + ": " + e.getMessage(), e);
    }
  }

  private static void requireLength(String name, long found, long expected) {
    if (found < expected) {
      throw new DataException(
          "%s: truncated: %d bytes, expected %d.".formatted(name, found, expected));
    }
  }
}
