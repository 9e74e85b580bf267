package org.alfamix.video;

import static org.bytedeco.ffmpeg.global.avutil.AVCOL_RANGE_JPEG;
import static org.bytedeco.ffmpeg.global.avutil.AV_PIX_FMT_RGB24;
import static org.bytedeco.ffmpeg.global.swscale.SWS_ACCURATE_RND;
import static org.bytedeco.ffmpeg.global.swscale.SWS_BICUBIC;
import static org.bytedeco.ffmpeg.global.swscale.SWS_BITEXACT;
import static org.bytedeco.ffmpeg.global.swscale.sws_freeContext;
import static org.bytedeco.ffmpeg.global.swscale.sws_getCachedContext;
import static org.bytedeco.ffmpeg.global.swscale.sws_getCoefficients;
import static org.bytedeco.ffmpeg.global.swscale.sws_scale;
import static org.bytedeco.ffmpeg.global.swscale.sws_setColorspaceDetails;

import org.alfamix.io.DataException;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.swscale.SwsContext;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.PointerPointer;

/** Converts decoded frames to upright RGB images of a fixed size. */
final class Converter implements AutoCloseable {
  /** The default of the {@code ffmpeg} program, for frames that keep their size. */
  private static final int SAME_SIZE = SWS_BICUBIC;

  /** Flags for resizing with the same result on every processor. */
  private static final int RESIZING = SWS_BICUBIC | SWS_ACCURATE_RND | SWS_BITEXACT;

  private static final int ALIGNMENT = 64;

  /** Number of bytes that fast converters may write beyond the last row. */
  private static final int PADDING = 1024;

  private static final int ONE = 1 << 16;

  /** The size of stored frames, before they are rotated. */
  private final int width;

  private final int height;
  private final int quarterTurns;
  private final byte[] rgb;
  private final byte[] rotated;

  /** Number of bytes per row; FFmpeg's fast converters write whole blocks of pixels. */
  private final int stride;

  private final BytePointer target;
  private SwsContext context;
  private int colours = -1;

  /**
   * @param width width of upright frames
   * @param height height of upright frames
   * @param quarterTurns clockwise rotation of frames in units of 90°
   */
  Converter(int width, int height, int quarterTurns) {
    this.width = quarterTurns % 2 == 0 ? width : height;
    this.height = quarterTurns % 2 == 0 ? height : width;
    this.quarterTurns = quarterTurns;
    this.rgb = new byte[width * height * 3];
    this.rotated = quarterTurns == 0 ? rgb : new byte[rgb.length];
    this.stride = (3 * this.width + 2 * ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    this.target = new BytePointer((long) stride * this.height + PADDING);
  }

  /** Converts a frame. The result is overwritten by the next call. */
  byte[] rgb(AVFrame frame) {
    boolean same = frame.width() == width && frame.height() == height;
    SwsContext before = context;
    context =
        sws_getCachedContext(
            context,
            frame.width(),
            frame.height(),
            frame.format(),
            width,
            height,
            AV_PIX_FMT_RGB24,
            same ? SAME_SIZE : RESIZING,
            null,
            null,
            (DoublePointer) null);
    if (context == null || context.isNull()) {
      throw new DataException(
          "Frames of %d x %d pixels cannot be resized to %d x %d."
              .formatted(frame.width(), frame.height(), width, height));
    }
    if (!context.equals(before)) {
      colours = -1; // a new context has default colours
    }
    setColours(frame);
    try (PointerPointer<BytePointer> planes = new PointerPointer<>(4);
        IntPointer strides = new IntPointer(4)) {
      planes.put(0, target.position(0));
      strides.put(0, stride);
      sws_scale(context, frame.data(), frame.linesize(), 0, frame.height(), planes, strides);
    }
    for (int y = 0; y < height; y++) {
      target.position((long) y * stride).get(rgb, 3 * width * y, 3 * width);
    }
    rotate();
    return rotated;
  }

  /** Sets the colour space of a frame: BT.601 or BT.709, limited or full range. */
  private void setColours(AVFrame frame) {
    int full = frame.color_range() == AVCOL_RANGE_JPEG ? 1 : 0;
    int now = 2 * frame.colorspace() + full;
    if (now != colours) {
      colours = now;
      IntPointer coefficients = sws_getCoefficients(frame.colorspace());
      // The call fails for RGB frames, which need no conversion; its result is ignored.
      sws_setColorspaceDetails(context, coefficients, full, coefficients, 1, 0, ONE, ONE);
    }
  }

  private void rotate() {
    if (quarterTurns == 0) {
      return;
    }
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        int to =
            switch (quarterTurns) {
              case 1 -> x * height + height - 1 - y;
              case 2 -> (height - 1 - y) * width + width - 1 - x;
              default -> (width - 1 - x) * height + y;
            };
        int from = 3 * (y * width + x);
        System.arraycopy(rgb, from, rotated, 3 * to, 3);
      }
    }
  }

  @Override
  public void close() {
    target.close();
    sws_freeContext(context);
  }
}
