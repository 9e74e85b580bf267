package org.alfamix.datasets;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrientationTest {

  /** Returns a JPEG file with an orientation tag. */
  private static byte[] jpegWithOrientation(int orientation, ByteOrder order) throws Exception {
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    ImageIO.write(new BufferedImage(8, 4, BufferedImage.TYPE_INT_RGB), "jpg", plain);
    ByteBuffer tiff = ByteBuffer.allocate(26).order(order);
    tiff.put(order == ByteOrder.LITTLE_ENDIAN ? new byte[] {'I', 'I'} : new byte[] {'M', 'M'});
    tiff.putShort((short) 42).putInt(8).putShort((short) 1);
    tiff.putShort((short) 0x0112).putShort((short) 3).putInt(1);
    tiff.putShort((short) orientation).putShort((short) 0).putInt(0);
    byte[] rest = plain.toByteArray();
    ByteBuffer file = ByteBuffer.allocate(rest.length + 4 + 6 + 26);
    file.put(rest, 0, 2).putShort((short) 0xffe1).putShort((short) (2 + 6 + 26));
    file.put(new byte[] {'E', 'x', 'i', 'f', 0, 0}).put(tiff.array());
    return file.put(rest, 2, rest.length - 2).array();
  }

  @Test
  void readsTheOrientationTag() throws Exception {
    for (int orientation = 1; orientation <= 8; orientation++) {
      assertEquals(
          orientation, Orientation.of(jpegWithOrientation(orientation, ByteOrder.LITTLE_ENDIAN)));
      assertEquals(
          orientation, Orientation.of(jpegWithOrientation(orientation, ByteOrder.BIG_ENDIAN)));
    }
    assertEquals(1, Orientation.of(jpegWithOrientation(99, ByteOrder.BIG_ENDIAN)));
    assertEquals(1, Orientation.of(new byte[0]));
    assertEquals(1, Orientation.of("no picture".getBytes()));
  }

  @Test
  void ignoresCorruptTags() throws Exception {
    SplittableRandom random = new SplittableRandom(1);
    byte[] whole = jpegWithOrientation(6, ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < 5_000; i++) {
      byte[] bytes = Arrays.copyOf(whole, random.nextInt(60));
      if (bytes.length > 4) {
        bytes[2 + random.nextInt(bytes.length - 2)] = (byte) random.nextInt();
      }
      int orientation = Orientation.of(bytes);
      assertEquals(true, orientation >= 1 && orientation <= 8);
    }
  }

  /** Each row has the new size and the new position of the top left pixel. */
  @ParameterizedTest
  @CsvSource({
    "1, 3, 2, 0, 0",
    "2, 3, 2, 2, 0",
    "3, 3, 2, 2, 1",
    "4, 3, 2, 0, 1",
    "5, 2, 3, 0, 0",
    "6, 2, 3, 1, 0",
    "7, 2, 3, 1, 2",
    "8, 2, 3, 0, 2"
  })
  void rotatesImages(int orientation, int width, int height, int x, int y) {
    BufferedImage image = new BufferedImage(3, 2, BufferedImage.TYPE_INT_RGB);
    image.setRGB(0, 0, 0xff0000);
    BufferedImage rotated = Orientation.upright(image, orientation);
    assertEquals(width, rotated.getWidth());
    assertEquals(height, rotated.getHeight());
    for (int row = 0; row < height; row++) {
      for (int column = 0; column < width; column++) {
        int expected = row == y && column == x ? 0xff0000 : 0;
        assertEquals(expected, rotated.getRGB(column, row) & 0xffffff, column + ", " + row);
      }
    }
  }
}
