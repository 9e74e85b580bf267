package org.alfamix.select;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Values that the manifests of all commands share. */
public final class ManifestValues {
  private ManifestValues() {}

  /**
   * The memory use of this process so far.
   *
   * @param maxHeapBytes the largest heap that Java may use
   * @param peakHeapBytes the largest used heap, including garbage
   * @param peakResidentBytes the largest resident set size, if the system reports it
   */
  public record Memory(long maxHeapBytes, long peakHeapBytes, Optional<Long> peakResidentBytes) {

    public static Memory ofThisProcess() {
      long heap =
          ManagementFactory.getMemoryPoolMXBeans().stream()
              .filter(pool -> pool.getType() == MemoryType.HEAP)
              .mapToLong(pool -> pool.getPeakUsage().getUsed())
              .sum();
      return new Memory(Runtime.getRuntime().maxMemory(), heap, peakResident());
    }

    private static Optional<Long> peakResident() {
      Path status = Path.of("/proc/self/status");
      if (!Files.isReadable(status)) {
        return Optional.empty();
      }
      try {
        return Files.readAllLines(status).stream()
            .filter(line -> line.startsWith("VmHWM:"))
            .map(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
            .findFirst();
      } catch (IOException e) {
        return Optional.empty();
      }
    }
  }

  /** Converts texts that represent numbers or booleans to such values. */
  public static Map<String, Object> typed(Map<String, String> texts) {
    Map<String, Object> values = new LinkedHashMap<>();
    texts.forEach((key, text) -> values.put(key, typed(text)));
    return values;
  }

  private static Object typed(String text) {
    if (text.matches("-?\\d{1,18}")) {
      return Long.parseLong(text);
    }
    if (text.matches("-?\\d*\\.?\\d+([eE][-+]?\\d{1,3})?")) {
      return Double.parseDouble(text);
    }
    if (text.equals("true") || text.equals("false")) {
      return Boolean.parseBoolean(text);
    }
    return text;
  }

  /** Rounds times in seconds to a tenth of a millisecond. */
  public static Map<String, Object> rounded(Map<String, Double> seconds) {
    Map<String, Object> values = new LinkedHashMap<>();
    seconds.forEach((key, taken) -> values.put(key, Math.round(taken * 1e4) / 1e4));
    return values;
  }
}
