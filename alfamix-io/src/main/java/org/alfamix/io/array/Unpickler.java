package org.alfamix.io.array;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alfamix.io.DataException;

/**
 * Reads tensors from Python pickles. A pickle is a program, and executing one from an untrusted
 * source can run arbitrary code; this reader executes nothing. It supports dictionaries, lists,
 * tuples, strings, numbers and the few names with which PyTorch describes a tensor, and rejects all
 * others.
 */
final class Unpickler {

  /** A tensor: a part of a storage. */
  record Tensor(String storage, ElementType type, long offset, long[] shape, long[] strides) {}

  /** A Python name in a pickle. It is only compared, never resolved. */
  private record Global(String name) {}

  /** A file in the archive with the values of tensors. */
  private record Storage(ElementType type, String key) {}

  private static final int MAX_MESSAGE_LENGTH = 200;
  private static final Object MARK = new Object();
  private static final Map<String, ElementType> STORAGES =
      Map.of(
          "torch.FloatStorage", ElementType.F4,
          "torch.DoubleStorage", ElementType.F8,
          "torch.HalfStorage", ElementType.F2,
          "torch.BFloat16Storage", ElementType.BF16,
          "torch.LongStorage", ElementType.I8,
          "torch.IntStorage", ElementType.I4,
          "torch.ShortStorage", ElementType.I2,
          "torch.CharStorage", ElementType.I1,
          "torch.ByteStorage", ElementType.U1,
          "torch.BoolStorage", ElementType.BOOL);

  private final String file;
  private final ByteBuffer in;
  private final List<Object> stack = new ArrayList<>();
  private final Map<Integer, Object> memo = new HashMap<>();

  private Unpickler(String file, byte[] pickle) {
    this.file = file;
    this.in = ByteBuffer.wrap(pickle).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Reads a pickle.
   *
   * @param file the name of the file, for messages
   * @return maps, lists, strings, numbers, {@link Tensor}s
   * @throws DataException if the pickle is invalid or contains anything else
   */
  static Object read(String file, byte[] pickle) {
    Unpickler unpickler = new Unpickler(file, pickle);
    try {
      return unpickler.run();
    } catch (BufferUnderflowException
        | IndexOutOfBoundsException
        | ClassCastException
        | NullPointerException
        | UnsupportedOperationException e) {
      throw unpickler.invalid("truncated, or not a valid pickle");
    }
  }

  private DataException invalid(String reason) {
    String line = reason.replaceAll("\\p{Cntrl}", " ");
    String shown =
        line.length() > MAX_MESSAGE_LENGTH ? line.substring(0, MAX_MESSAGE_LENGTH) + "..." : line;
    return new DataException("%s: %s (at byte %d).".formatted(file, shown, in.position()));
  }

  private Object run() {
    while (true) {
      int code = in.get() & 0xff;
      switch (code) {
        case 0x80 -> in.get(); // PROTO
        case 0x95 -> in.getLong(); // FRAME
        case '.' -> {
          return pop();
        }
        case '(' -> stack.add(MARK);
        case '}' -> stack.add(new LinkedHashMap<>());
        case ']' -> stack.add(new ArrayList<>());
        case ')' -> stack.add(List.of());
        case 'N' -> stack.add(null);
        case 0x88 -> stack.add(true);
        case 0x89 -> stack.add(false);
        case 'K' -> stack.add((long) (in.get() & 0xff));
        case 'M' -> stack.add((long) (in.getShort() & 0xffff));
        case 'J' -> stack.add((long) in.getInt());
        case 0x8a -> stack.add(readLong(in.get() & 0xff));
        case 'G' -> stack.add(in.order(ByteOrder.BIG_ENDIAN).getDouble());
        case 'X' -> stack.add(text(in.getInt()));
        case 0x8c -> stack.add(text(in.get() & 0xff));
        case 'c' -> stack.add(new Global(line() + "." + line()));
        case 0x93 -> {
          String name = (String) pop();
          stack.add(new Global((String) pop() + "." + name));
        }
        case 'q' -> memo.put(in.get() & 0xff, top());
        case 'r' -> memo.put(in.getInt(), top());
        case 0x94 -> memo.put(memo.size(), top());
        case 'h' -> stack.add(memoized(in.get() & 0xff));
        case 'j' -> stack.add(memoized(in.getInt()));
        case 0x85 -> stack.add(Arrays.asList(pop()));
        case 0x86 -> tuple(2);
        case 0x87 -> tuple(3);
        case 't' -> stack.add(new ArrayList<>(popToMark()));
        case 's' -> setItems(List.of(stack.remove(stack.size() - 2), pop()));
        case 'u' -> setItems(popToMark());
        case 'a' -> {
          Object value = pop();
          listOnTop().add(value);
        }
        case 'e' -> {
          List<Object> values = popToMark();
          listOnTop().addAll(values);
        }
        case 'Q' -> stack.add(storage((List<?>) pop()));
        case 'R' -> {
          List<?> arguments = (List<?>) pop();
          stack.add(reduce((Global) pop(), arguments));
        }
        case 'b' -> build();
        case 0x81, 0x92, 'i', 'o' ->
            throw invalid(
                "it creates Python objects, which is not allowed; expected only tensors, as written"
                    + " by torch.save(model.state_dict(), file)");
        default -> throw invalid("unsupported opcode 0x%02x".formatted(code));
      }
      in.order(ByteOrder.LITTLE_ENDIAN);
    }
  }

  private Object top() {
    return stack.get(stack.size() - 1);
  }

  private Object pop() {
    Object value = stack.remove(stack.size() - 1);
    if (value == MARK) {
      throw invalid("not a valid pickle");
    }
    return value;
  }

  private Object memoized(int key) {
    if (!memo.containsKey(key)) {
      throw invalid("not a valid pickle");
    }
    return memo.get(key);
  }

  private long readLong(int bytes) {
    if (bytes > Long.BYTES) {
      throw invalid("an integer of %d bytes, expected at most 8".formatted(bytes));
    }
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      long next = in.get();
      value |= (i == bytes - 1 ? next : next & 0xff) << 8 * i;
    }
    return value;
  }

  private String text(int length) {
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private String line() {
    StringBuilder line = new StringBuilder();
    for (char next = (char) in.get(); next != '\n'; next = (char) in.get()) {
      line.append(next);
    }
    return line.toString();
  }

  private void tuple(int size) {
    List<Object> last = stack.subList(stack.size() - size, stack.size());
    List<Object> values = new ArrayList<>(last);
    last.clear();
    stack.add(values);
  }

  private List<Object> popToMark() {
    int at = stack.lastIndexOf(MARK);
    List<Object> last = stack.subList(at + 1, stack.size());
    List<Object> values = new ArrayList<>(last);
    last.clear();
    stack.remove(at);
    return values;
  }

  @SuppressWarnings("unchecked")
  private List<Object> listOnTop() {
    return (List<Object>) top();
  }

  @SuppressWarnings("unchecked")
  private void setItems(List<Object> pairs) {
    Map<Object, Object> map = (Map<Object, Object>) top();
    for (int i = 0; i + 1 < pairs.size(); i += 2) {
      if (!(pairs.get(i) instanceof String) && !(pairs.get(i) instanceof Long)) {
        throw invalid("a dictionary key is neither a string nor an integer");
      }
      map.put(pairs.get(i), pairs.get(i + 1));
    }
  }

  /** Reads a storage such as {@code ('storage', torch.FloatStorage, '0', 'cpu', 64)}. */
  private Storage storage(List<?> words) {
    ElementType type =
        words.size() >= 3 && words.get(1) instanceof Global global
            ? STORAGES.get(global.name)
            : null;
    if (type == null || !"storage".equals(words.get(0))) {
      throw invalid("unknown storage type");
    }
    return new Storage(type, (String) words.get(2));
  }

  /** Handles the calls with which PyTorch restores dictionaries, tensors and parameters. */
  private Object reduce(Global function, List<?> arguments) {
    return switch (function.name) {
      case "collections.OrderedDict" -> new LinkedHashMap<>();
      case "torch._utils._rebuild_tensor_v2" -> {
        Storage storage = (Storage) arguments.get(0);
        yield new Tensor(
            storage.key,
            storage.type,
            (Long) arguments.get(1),
            numbers((List<?>) arguments.get(2)),
            numbers((List<?>) arguments.get(3)));
      }
      case "torch._utils._rebuild_parameter" -> (Tensor) arguments.get(0);
      default ->
          throw invalid(
              "it calls '%s', which is not allowed and was not run; expected only tensors"
                  .formatted(function.name));
    };
  }

  private static long[] numbers(List<?> values) {
    return values.stream().mapToLong(value -> (Long) value).toArray();
  }

  /** Ignores the state of a dictionary: PyTorch stores only versions there. */
  private void build() {
    Object state = pop();
    if (!(top() instanceof Map) || !(state instanceof Map)) {
      throw invalid("it restores an object that is not a dictionary; expected only tensors");
    }
  }
}
