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
 * Reads what Python's pickle has written of tensors. A pickle is a program, and one from a stranger
 * can do anything to whoever runs it; this one runs nothing. It knows dictionaries, lists, tuples,
 * texts, numbers and the few names by which PyTorch describes a tensor, and refuses all others.
 */
final class Unpickler {

  /** A tensor: a part of a storage. */
  record Tensor(String storage, ElementType type, long offset, long[] shape, long[] strides) {}

  /** A name that a pickle asks for; nothing is done with it but to compare it. */
  private record Global(String name) {}

  /** Where numbers lie: a file in the archive. */
  private record Storage(ElementType type, String key) {}

  private static final int LONGEST = 200;
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
   * @param file for messages
   * @return maps, lists, texts, numbers, {@link Tensor}s
   * @throws DataException where it is broken, or asks for anything else
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
      throw unpickler.broken("it ends too soon, or is no pickle");
    }
  }

  private DataException broken(String why) {
    String line = why.replaceAll("\\p{Cntrl}", " ");
    String shown = line.length() > LONGEST ? line.substring(0, LONGEST) + "..." : line;
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
        case 0x8a -> stack.add(bigNumber(in.get() & 0xff));
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
        case 'h' -> stack.add(remembered(in.get() & 0xff));
        case 'j' -> stack.add(remembered(in.getInt()));
        case 0x85 -> stack.add(Arrays.asList(pop()));
        case 0x86 -> tuple(2);
        case 0x87 -> tuple(3);
        case 't' -> stack.add(new ArrayList<>(sinceMark()));
        case 's' -> setItems(List.of(stack.remove(stack.size() - 2), pop()));
        case 'u' -> setItems(sinceMark());
        case 'a' -> {
          Object value = pop();
          listOnTop().add(value);
        }
        case 'e' -> {
          List<Object> values = sinceMark();
          listOnTop().addAll(values);
        }
        case 'Q' -> stack.add(storage((List<?>) pop()));
        case 'R' -> {
          List<?> arguments = (List<?>) pop();
          stack.add(reduce((Global) pop(), arguments));
        }
        case 'b' -> build();
        case 0x81, 0x92, 'i', 'o' ->
            throw broken(
                "it makes objects of Python, which was not done; expected tensors alone, as"
                    + " torch.save(model.state_dict(), file) writes them");
        default ->
            throw broken("it does what no list of tensors does (code 0x%02x)".formatted(code));
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
      throw broken("it is no pickle");
    }
    return value;
  }

  private Object remembered(int key) {
    if (!memo.containsKey(key)) {
      throw broken("it is no pickle");
    }
    return memo.get(key);
  }

  private long bigNumber(int bytes) {
    if (bytes > Long.BYTES) {
      throw broken("a number of %d bytes".formatted(bytes));
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

  private List<Object> sinceMark() {
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
        throw broken("a dictionary with keys that are neither texts nor numbers");
      }
      map.put(pairs.get(i), pairs.get(i + 1));
    }
  }

  /** {@code ('storage', torch.FloatStorage, '0', 'cpu', 64)}. */
  private Storage storage(List<?> words) {
    ElementType type =
        words.size() >= 3 && words.get(1) instanceof Global global
            ? STORAGES.get(global.name)
            : null;
    if (type == null || !"storage".equals(words.get(0))) {
      throw broken("it has a kind of number that is not known");
    }
    return new Storage(type, (String) words.get(2));
  }

  /** What PyTorch calls to make a dictionary, a tensor or a parameter again; nothing else. */
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
          throw broken(
              "it asks for '%s', which was not run; expected tensors alone"
                  .formatted(function.name));
    };
  }

  private static long[] numbers(List<?> values) {
    return values.stream().mapToLong(value -> (Long) value).toArray();
  }

  /** PyTorch notes versions beside a dictionary; they say nothing of its tensors. */
  private void build() {
    Object state = pop();
    if (!(top() instanceof Map) || !(state instanceof Map)) {
      throw broken("it builds something that is no dictionary; expected tensors alone");
    }
  }
}
