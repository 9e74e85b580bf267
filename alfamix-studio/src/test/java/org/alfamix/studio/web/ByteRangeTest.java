package org.alfamix.studio.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteRangeTest {

  @ParameterizedTest
  @CsvSource({
    "bytes=0-, 0, 99",
    "bytes=10-19, 10, 19",
    "bytes=90-1000, 90, 99",
    "bytes=-10, 90, 99",
    "bytes=-1000, 0, 99",
    "bytes=99-99, 99, 99",
  })
  void parsesARange(String header, long first, long last) {
    assertEquals(Optional.of(new ByteRange(first, last)), ByteRange.parse(header, 100));
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        "bytes=-",
        "bytes=5-2",
        "bytes=0-1,5-6",
        "items=0-1",
        "bytes=x-",
        "bytes=99999999999999999999999-"
      })
  void ignoresOtherHeaders(String header) {
    assertEquals(Optional.empty(), ByteRange.parse(header, 100));
  }

  @Test
  void detectsRangesBeyondTheEnd() {
    assertFalse(ByteRange.parse("bytes=100-", 100).orElseThrow().isWithinFile());
    assertFalse(ByteRange.parse("bytes=5000-6000", 100).orElseThrow().isWithinFile());
    assertFalse(ByteRange.parse("bytes=-0", 100).orElseThrow().isWithinFile());
    assertFalse(ByteRange.parse("bytes=0-", 0).orElseThrow().isWithinFile());
  }
}
