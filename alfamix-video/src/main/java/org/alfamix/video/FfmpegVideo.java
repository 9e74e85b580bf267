package org.alfamix.video;

import static org.bytedeco.ffmpeg.global.avcodec.AV_PKT_DATA_DISPLAYMATRIX;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_alloc;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_free;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_side_data_get;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_unref;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_alloc_context3;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_free_context;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_get_name;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_open2;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_parameters_to_context;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_receive_frame;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_send_packet;
import static org.bytedeco.ffmpeg.global.avformat.AV_DISPOSITION_ATTACHED_PIC;
import static org.bytedeco.ffmpeg.global.avformat.av_find_best_stream;
import static org.bytedeco.ffmpeg.global.avformat.av_read_frame;
import static org.bytedeco.ffmpeg.global.avformat.avformat_close_input;
import static org.bytedeco.ffmpeg.global.avformat.avformat_find_stream_info;
import static org.bytedeco.ffmpeg.global.avformat.avformat_open_input;
import static org.bytedeco.ffmpeg.global.avutil.AVMEDIA_TYPE_VIDEO;
import static org.bytedeco.ffmpeg.global.avutil.AV_LOG_QUIET;
import static org.bytedeco.ffmpeg.global.avutil.av_dict_free;
import static org.bytedeco.ffmpeg.global.avutil.av_dict_set;
import static org.bytedeco.ffmpeg.global.avutil.av_display_rotation_get;
import static org.bytedeco.ffmpeg.global.avutil.av_frame_alloc;
import static org.bytedeco.ffmpeg.global.avutil.av_frame_free;
import static org.bytedeco.ffmpeg.global.avutil.av_frame_unref;
import static org.bytedeco.ffmpeg.global.avutil.av_get_pix_fmt_name;
import static org.bytedeco.ffmpeg.global.avutil.av_log_set_level;
import static org.bytedeco.ffmpeg.global.avutil.av_q2d;
import static org.bytedeco.ffmpeg.global.avutil.av_strerror;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.alfamix.datasets.video.Video;
import org.alfamix.io.DataException;
import org.alfamix.io.ProcessLock;
import org.bytedeco.ffmpeg.avcodec.AVCodec;
import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.bytedeco.ffmpeg.avcodec.AVCodecParameters;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avcodec.AVPacketSideData;
import org.bytedeco.ffmpeg.avformat.AVFormatContext;
import org.bytedeco.ffmpeg.avformat.AVInputFormat;
import org.bytedeco.ffmpeg.avutil.AVDictionary;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avformat;
import org.bytedeco.ffmpeg.global.swscale;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.javacpp.PointerScope;

/**
 * A video that FFmpeg decodes on the calling thread. Frames are numbered in the order of
 * presentation, from 0. Packets that cannot be decoded are skipped, like in the program {@code
 * ffmpeg}; a file without frames is rejected.
 */
final class FfmpegVideo implements Video {
  /** Maximum size of a frame: 8,192 × 8,192 pixels take 200 MB. */
  private static final long MAX_PIXELS = 1L << 26;

  /** Maximum number of frames, about nine hours at 30 frames per second. */
  private static final int MAX_FRAMES = 1_000_000;

  private static final double DEFAULT_RATE = 25;
  private static final double MAX_RATE = 240;

  /** Supported formats, without playlists and others that refer to other files or addresses. */
  private static final String FORMATS = "mov,mp4,m4a,3gp,3g2,mj2,avi,matroska,webm,gif";

  static {
    // JavaCPP unpacks to a folder shared by all processes; two at a time would crash.
    try {
      ProcessLock.runLocked(
          Loader.getCacheDir().toPath().resolve("alfamix.lock"), FfmpegVideo::loadLibraries);
    } catch (IOException e) {
      loadLibraries();
    }
    av_log_set_level(AV_LOG_QUIET);
  }

  private static void loadLibraries() {
    Loader.load(avcodec.class);
    Loader.load(avformat.class);
    Loader.load(swscale.class);
  }

  private final Path file;
  private AVFormatContext format;
  private AVCodecContext codec;
  private int stream;

  /** Whether no packet was read since the file was opened. */
  private boolean atStart;

  /** The size of stored frames, before they are rotated. */
  private final int storedWidth;

  private final int storedHeight;

  /** Clockwise rotation in units of 90° that makes frames upright. */
  private final int quarterTurns;

  private final int frames;

  /**
   * @param known number of frames if known; 0 to count them
   */
  FfmpegVideo(Path file, int known) {
    this.file = file;
    try (PointerScope scope = new PointerScope()) {
      open();
      // Frames may differ from the announced size: all are resized to it.
      this.storedWidth = codec.width();
      this.storedHeight = codec.height();
      long pixels = (long) storedWidth * storedHeight;
      if (pixels < 1 || pixels > MAX_PIXELS) {
        throw new DataException(
            "%s: frames of %d x %d, expected at most %,d pixels."
                .formatted(file, storedWidth, storedHeight, MAX_PIXELS));
      }
      this.quarterTurns = quarterTurns(format.streams(stream).codecpar());
      this.frames = known > 0 ? known : decode(Integer.MAX_VALUE, (number, frame) -> {});
      if (frames == 0) {
        throw new DataException(file + ": the video has no frames.");
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Opens the file at its start. */
  private void open() {
    format = open(file);
    check(avformat_find_stream_info(format, (PointerPointer<?>) null), "cannot be read as a video");
    PointerPointer<AVCodec> found = new PointerPointer<>(1);
    stream = av_find_best_stream(format, AVMEDIA_TYPE_VIDEO, -1, -1, found, 0);
    // The cover image of an audio file is a stream, too, but not a video.
    if (stream < 0 || (format.streams(stream).disposition() & AV_DISPOSITION_ATTACHED_PIC) != 0) {
      throw new DataException(file + ": contains no video stream that can be decoded.");
    }
    AVCodec decoder = found.get(AVCodec.class);
    codec = avcodec_alloc_context3(decoder).retainReference();
    check(
        avcodec_parameters_to_context(codec, format.streams(stream).codecpar()),
        "cannot be decoded");
    // Many videos are decoded at the same time, so each uses only one thread.
    codec.thread_count(1);
    check(avcodec_open2(codec, decoder, (PointerPointer<?>) null), "cannot be decoded");
    atStart = true;
  }

  private static AVFormatContext open(Path file) {
    AVFormatContext context = new AVFormatContext(null);
    AVDictionary options = new AVDictionary(null);
    av_dict_set(options, "format_whitelist", FORMATS, 0);
    av_dict_set(options, "protocol_whitelist", "file", 0);
    int code = avformat_open_input(context, "file:" + file, (AVInputFormat) null, options);
    av_dict_free(options);
    if (code < 0) {
      throw new DataException("%s: cannot be read as a video: %s.".formatted(file, reason(code)));
    }
    return context.retainReference();
  }

  private void check(int code, String what) {
    if (code < 0) {
      throw new DataException("%s: %s: %s.".formatted(file, what, reason(code)));
    }
  }

  /** Returns FFmpeg's description of an error code. */
  static String reason(int code) {
    byte[] text = new byte[256];
    try (BytePointer pointer = new BytePointer(text.length)) {
      av_strerror(code, pointer, text.length);
      pointer.get(text);
    }
    int length = 0;
    while (length < text.length && text[length] != 0) {
      length++;
    }
    return new String(text, 0, length, StandardCharsets.UTF_8);
  }

  /** Returns the rotation, which phones record instead of rotating the frames. */
  private static int quarterTurns(AVCodecParameters parameters) {
    AVPacketSideData matrix =
        av_packet_side_data_get(
            parameters.coded_side_data(),
            parameters.nb_coded_side_data(),
            AV_PKT_DATA_DISPLAYMATRIX);
    if (matrix == null || matrix.isNull()) {
      return 0;
    }
    double counterclockwise = av_display_rotation_get(new IntPointer(matrix.data()));
    return Double.isNaN(counterclockwise)
        ? 0
        : Math.floorMod(Math.round(-counterclockwise / 90), 4);
  }

  @Override
  public int width() {
    return quarterTurns % 2 == 0 ? storedWidth : storedHeight;
  }

  @Override
  public int height() {
    return quarterTurns % 2 == 0 ? storedHeight : storedWidth;
  }

  @Override
  public String encoding() {
    BytePointer format = av_get_pix_fmt_name(codec.pix_fmt());
    return avcodec_get_name(codec.codec_id()).getString()
        + (format == null ? "" : " " + format.getString());
  }

  @Override
  public int frames() {
    return frames;
  }

  @Override
  public void read(int[] wanted, int width, int height, FrameReceiver receiver) {
    for (int i = 0; i < wanted.length; i++) {
      if (wanted[i] < (i == 0 ? 0 : wanted[i - 1]) || wanted[i] >= frames) {
        throw new IllegalArgumentException(
            "Frame %d of %d: expected ascending frame numbers below the number of frames."
                .formatted(wanted[i], frames));
      }
    }
    if (wanted.length == 0) {
      return;
    }
    try (PointerScope scope = new PointerScope();
        Converter converter = new Converter(width, height, quarterTurns)) {
      rewind();
      int[] position = {0};
      decode(
          wanted[wanted.length - 1] + 1,
          (number, frame) -> {
            byte[] rgb = wanted[position[0]] == number ? converter.rgb(frame) : null;
            while (position[0] < wanted.length && wanted[position[0]] == number) {
              receiver.accept(position[0]++, rgb);
            }
          });
      if (position[0] < wanted.length) {
        throw new DataException(
            "%s: frame %d can no longer be decoded; the file may have changed."
                .formatted(file, wanted[position[0]]));
      }
    }
  }

  /**
   * Reopens the file unless it is at its start. Seeking would stop at the first key frame, which
   * may not be the first frame.
   */
  private void rewind() {
    if (!atStart) {
      close();
      open();
    }
  }

  /** Receives a decoded frame, which is overwritten after the call. */
  @FunctionalInterface
  interface DecodedFrameReceiver {
    void accept(int number, AVFrame frame);
  }

  /** Decodes up to {@code limit} frames from the current position; returns their number. */
  private int decode(int limit, DecodedFrameReceiver receiver) {
    atStart = false;
    AVPacket packet = av_packet_alloc();
    AVFrame frame = av_frame_alloc();
    try {
      int count = 0;
      boolean more = true;
      while (more && count < limit) {
        more = av_read_frame(format, packet) >= 0;
        // At the end of the file, an empty packet flushes the decoder.
        if (!more || packet.stream_index() == stream) {
          // A packet that cannot be decoded is skipped.
          avcodec_send_packet(codec, more ? packet : null);
          while (count < limit && avcodec_receive_frame(codec, frame) >= 0) {
            receiver.accept(count++, frame);
            av_frame_unref(frame);
          }
        }
        av_packet_unref(packet);
        if (count > MAX_FRAMES) {
          throw new DataException(
              "%s: more than %,d frames; cut it into clips.".formatted(file, MAX_FRAMES));
        }
      }
      return count;
    } finally {
      av_packet_free(packet);
      av_frame_free(frame);
    }
  }

  /** Decodes all frames, without rotating them. Each is overwritten after the call. */
  void forEachFrame(DecodedFrameReceiver receiver) {
    try (PointerScope scope = new PointerScope()) {
      rewind();
      decode(Integer.MAX_VALUE, receiver);
    }
  }

  int quarterTurns() {
    return quarterTurns;
  }

  /**
   * Returns the frame rate, between 1 and 240 per second; 25 if the file has none in this range.
   */
  double rate() {
    double rate = av_q2d(format.streams(stream).avg_frame_rate());
    return rate >= 1 && rate <= MAX_RATE ? rate : DEFAULT_RATE;
  }

  @Override
  public void close() {
    if (codec != null) {
      avcodec_free_context(codec);
      codec = null;
    }
    if (format != null) {
      avformat_close_input(format);
      format = null;
    }
  }
}
