package org.alfamix.io.table;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JsonRecordsTest {
  private record Inner(int[] numbers, Optional<String> absent) {}

  private record Outer(
      String text,
      String none,
      Optional<Integer> present,
      double infinite,
      Map<String, Object> map,
      List<Inner> list) {}

  @Test
  void writesComponentsOfEveryType() throws IOException {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("long", 1L << 40);
    map.put("truth", true);
    map.put("double", 0.25);
    Outer outer =
        new Outer(
            "a \"quote\"",
            null,
            Optional.of(3),
            Double.POSITIVE_INFINITY,
            map,
            List.of(new Inner(new int[] {1, 2}, Optional.empty())));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    JsonRecords.write(outer, out);
    assertEquals(
        """
        {
          "text" : "a \\"quote\\"",
          "none" : null,
          "present" : 3,
          "infinite" : null,
          "map" : {
            "long" : 1099511627776,
            "truth" : true,
            "double" : 0.25
          },
          "list" : [
            {
              "numbers" : [1, 2]
            }
          ]
        }
        """,
        out.toString(StandardCharsets.UTF_8));
  }
}
