package org.alfamix.io.array;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.alfamix.io.DataException;

/**
 * PyTorch's {@code .pth} and {@code .pt} format: a zip with a pickle that describes tensors, and
 * their data. The keys of nested dictionaries, as saved by training programs, are joined with dots.
 */
public final class Pth implements ArrayBundle {
  private static final String PICKLE = "data.pkl";
  private static final int MAX_PICKLE_BYTES = 64 << 20;
  private static final int MAX_DEPTH = 16;
  private static final int MAX_VALUES = 1_000_000;

  private final Path file;
  private final String folder;
  private final ByteOrder order;
  private final Map<String, Unpickler.Tensor> tensors;

  private Pth(Path file, String folder, ByteOrder order, Map<String, Unpickler.Tensor> tensors) {
    this.file = file;
    this.folder = folder;
    this.order = order;
    this.tensors = tensors;
  }

  /**
   * Reads the names and shapes of the tensors. Their data are read later.
   *
   * @throws DataException if the file is invalid or its pickle contains unsupported objects
   */
  public static Pth open(Path file) {
    if (!Files.exists(file)) {
      throw new DataException(file + ": no such file.");
    }
    try (ZipFile zip = new ZipFile(file.toFile())) {
      String folder =
          zip.stream()
              .map(ZipEntry::getName)
              .filter(name -> name.equals(PICKLE) || name.endsWith("/" + PICKLE))
              .map(name -> name.substring(0, name.length() - PICKLE.length()))
              .findFirst()
              .orElseThrow(
                  () ->
                      new DataException(
                          file
                              + ": no data.pkl in the archive; expected a file written by"
                              + " torch.save."));
      byte[] pickle = bytes(zip, folder + PICKLE, MAX_PICKLE_BYTES);
      Map<String, Unpickler.Tensor> tensors = new LinkedHashMap<>();
      new Collector(file, tensors).collect("", Unpickler.read(file + ", data.pkl", pickle), 0);
      if (tensors.containsKey("")) {
        throw new DataException(
            file + ": expected a dictionary of tensors, found a single tensor.");
      }
      if (tensors.isEmpty()) {
        throw new DataException(file + ": contains no tensors.");
      }
      return new Pth(file, folder, order(zip, folder), tensors);
    } catch (ZipException e) {
      if (hasZipSignature(file)) {
        throw new DataException(file + ": the file is truncated or corrupt.", e);
      }
      throw new DataException(
          file
              + ": not a zip file; expected the format of torch.save since PyTorch 1.6 (convert"
              + " older files with torch.save(torch.load(f), f)).",
          e);
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
  }

  private static boolean hasZipSignature(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return in.read() == 'P' && in.read() == 'K';
    } catch (IOException e) {
      return false;
    }
  }

  private static ByteOrder order(ZipFile zip, String folder) throws IOException {
    return zip.getEntry(folder + "byteorder") != null
            && new String(bytes(zip, folder + "byteorder", 16), StandardCharsets.UTF_8)
                .strip()
                .equals("big")
        ? ByteOrder.BIG_ENDIAN
        : ByteOrder.LITTLE_ENDIAN;
  }

  private static byte[] bytes(ZipFile zip, String name, int limit) throws IOException {
    try (InputStream in = zip.getInputStream(zip.getEntry(name))) {
      byte[] bytes = in.readNBytes(limit + 1);
      if (bytes.length > limit) {
        throw new IOException("%s has more than %d bytes".formatted(name, limit));
      }
      return bytes;
    }
  }

  /**
   * Collects the tensors of nested dictionaries. A pickle may refer to the same dictionary many
   * times, so that a few bytes expand to a huge number of values.
   */
  private static final class Collector {
    private final Path file;
    private final Map<String, Unpickler.Tensor> tensors;
    private int seen;

    Collector(Path file, Map<String, Unpickler.Tensor> tensors) {
      this.file = file;
      this.tensors = tensors;
    }

    void collect(String prefix, Object value, int depth) {
      if (++seen > MAX_VALUES) {
        throw new DataException(
            "%s: more than %,d values, too many for a checkpoint.".formatted(file, MAX_VALUES));
      }
      if (value instanceof Unpickler.Tensor tensor) {
        tensors.put(prefix, tensor);
      } else if (value instanceof Map<?, ?> map && depth < MAX_DEPTH) {
        map.forEach(
            (key, inner) ->
                collect(prefix.isEmpty() ? "" + key : prefix + "." + key, inner, depth + 1));
      }
    }
  }

  @Override
  public String name() {
    return file.toString();
  }

  @Override
  public List<String> names() {
    return List.copyOf(tensors.keySet());
  }

  @Override
  public Optional<long[]> shape(String name) {
    return Optional.ofNullable(tensors.get(name)).map(tensor -> tensor.shape().clone());
  }

  @Override
  public NumericArray array(String name) {
    Unpickler.Tensor tensor = tensors.get(name);
    if (tensor == null) {
      throw noSuchArray(name);
    }
    String shown = file + ": " + name;
    return new NumericArray(
        shown, ByteSource.of(read(shown, tensor)), 0, tensor.type(), order, tensor.shape());
  }

  /** Reads the values of a tensor in C order, regardless of its strides. */
  private byte[] read(String shown, Unpickler.Tensor tensor) {
    byte[] storage;
    try (ZipFile zip = new ZipFile(file.toFile())) {
      ZipEntry entry = zip.getEntry(folder + "data/" + tensor.storage());
      if (entry == null) {
        throw new DataException(shown + ": its data are missing from the file.");
      }
      storage = bytes(zip, entry.getName(), Integer.MAX_VALUE - 16);
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
    int width = tensor.type().width();
    int count = count(shown, tensor, storage.length / width);
    if (isContiguous(tensor)) {
      int from = Math.toIntExact(tensor.offset() * width);
      return Arrays.copyOfRange(storage, from, from + count * width);
    }
    ByteBuffer target = ByteBuffer.allocate(count * width);
    long[] index = new long[tensor.shape().length];
    for (int i = 0; i < count; i++) {
      long at = tensor.offset();
      for (int d = 0; d < index.length; d++) {
        at += index[d] * tensor.strides()[d];
      }
      target.put(storage, Math.toIntExact(at * width), width);
      for (int d = index.length - 1; d >= 0 && ++index[d] == tensor.shape()[d]; d--) {
        index[d] = 0;
      }
    }
    return target.array();
  }

  /** Returns the number of values; fails unless all of them lie within the storage. */
  private static int count(String shown, Unpickler.Tensor tensor, long available) {
    try {
      long count = 1;
      long last = tensor.offset();
      if (tensor.shape().length != tensor.strides().length || tensor.offset() < 0) {
        throw new ArithmeticException();
      }
      for (int d = 0; d < tensor.shape().length; d++) {
        if (tensor.shape()[d] < 0 || tensor.strides()[d] < 0) {
          throw new ArithmeticException();
        }
        count = Math.multiplyExact(count, tensor.shape()[d]);
        last =
            Math.addExact(
                last, Math.multiplyExact(Math.max(0, tensor.shape()[d] - 1), tensor.strides()[d]));
      }
      if (count > 0 && last >= available) {
        throw new DataException(
            "%s: truncated: %d values, expected at least %d."
                .formatted(shown, available, last + 1));
      }
      Math.toIntExact(Math.multiplyExact(count, 8));
      return Math.toIntExact(count);
    } catch (ArithmeticException e) {
      throw new DataException(
          "%s: invalid shape %s.".formatted(shown, Arrays.toString(tensor.shape())), e);
    }
  }

  private static boolean isContiguous(Unpickler.Tensor tensor) {
    long expected = 1;
    for (int d = tensor.shape().length - 1; d >= 0; d--) {
      if (tensor.shape()[d] != 1 && tensor.strides()[d] != expected) {
        return false;
      }
      expected *= tensor.shape()[d];
    }
    return true;
  }
}
