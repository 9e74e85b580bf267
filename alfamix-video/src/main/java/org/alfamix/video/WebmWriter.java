package org.alfamix.video;

import static org.bytedeco.ffmpeg.global.avcodec.AV_CODEC_FLAG_GLOBAL_HEADER;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_alloc;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_free;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_rescale_ts;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_unref;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_alloc_context3;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_find_encoder_by_name;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_free_context;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_open2;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_parameters_from_context;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_receive_packet;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_send_frame;
import static org.bytedeco.ffmpeg.global.avformat.AVIO_FLAG_WRITE;
import static org.bytedeco.ffmpeg.global.avformat.av_interleaved_write_frame;
import static org.bytedeco.ffmpeg.global.avformat.av_write_trailer;
import static org.bytedeco.ffmpeg.global.avformat.avformat_alloc_output_context2;
import static org.bytedeco.ffmpeg.global.avformat.avformat_free_context;
import static org.bytedeco.ffmpeg.global.avformat.avformat_new_stream;
import static org.bytedeco.ffmpeg.global.avformat.avformat_write_header;
import static org.bytedeco.ffmpeg.global.avformat.avio_closep;
import static org.bytedeco.ffmpeg.global.avformat.avio_open;
import static org.bytedeco.ffmpeg.global.avutil.AV_PIX_FMT_RGB24;
import static org.bytedeco.ffmpeg.global.avutil.AV_PIX_FMT_YUV420P;
import static org.bytedeco.ffmpeg.global.avutil.av_dict_free;
import static org.bytedeco.ffmpeg.global.avutil.av_dict_set;
import static org.bytedeco.ffmpeg.global.avutil.av_frame_alloc;
import static org.bytedeco.ffmpeg.global.avutil.av_frame_free;
import static org.bytedeco.ffmpeg.global.avutil.av_frame_get_buffer;
import static org.bytedeco.ffmpeg.global.avutil.av_frame_make_writable;
import static org.bytedeco.ffmpeg.global.swscale.SWS_BICUBIC;
import static org.bytedeco.ffmpeg.global.swscale.sws_freeContext;
import static org.bytedeco.ffmpeg.global.swscale.sws_getContext;
import static org.bytedeco.ffmpeg.global.swscale.sws_scale;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.bytedeco.ffmpeg.avcodec.AVCodec;
import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avformat.AVFormatContext;
import org.bytedeco.ffmpeg.avformat.AVIOContext;
import org.bytedeco.ffmpeg.avformat.AVOutputFormat;
import org.bytedeco.ffmpeg.avformat.AVStream;
import org.bytedeco.ffmpeg.avutil.AVDictionary;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.avutil.AVRational;
import org.bytedeco.ffmpeg.swscale.SwsContext;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.javacpp.PointerScope;

/** Encodes a video as WebM with VP8, upright and without sound. */
final class WebmWriter implements AutoCloseable {
  /** Maximum height and width. Larger frames are shrunk, which is sufficient for viewing. */
  private static final int MAX_SIDE = 1280;

  /** Ticks per second of the encoder's clock. */
  private static final int CLOCK = 90_000;

  /** Number of bytes that fast converters may read beyond the last row. */
  private static final int READ_AHEAD = 1024;

  private static final int BITS_PER_PIXEL_AND_SECOND = 3;
  private static final long MIN_BIT_RATE = 400_000;

  private final Path target;
  private final int width;
  private final int height;
  private final double rate;
  private AVFormatContext format;
  private AVCodecContext encoder;
  private AVStream stream;
  private AVFrame picture;
  private AVPacket packet;
  private SwsContext toYuv;
  private BytePointer pixels;

  private WebmWriter(Path target, FfmpegVideo video) {
    this.target = target;
    this.rate = video.rate();
    double factor = Math.min(1, (double) MAX_SIDE / Math.max(video.width(), video.height()));
    // VP8 stores colours at half the resolution.
    this.width = Math.max(2, 2 * (int) Math.round(video.width() * factor / 2));
    this.height = Math.max(2, 2 * (int) Math.round(video.height() * factor / 2));
  }

  static void write(FfmpegVideo video, Path target) {
    try (PointerScope scope = new PointerScope();
        WebmWriter writer = new WebmWriter(target, video);
        Converter converter = new Converter(writer.width, writer.height, video.quarterTurns())) {
      writer.open();
      video.forEachFrame((number, frame) -> writer.add(number, converter.rgb(frame)));
      writer.finish();
    }
  }

  private void open() {
    format = new AVFormatContext(null);
    require(
        avformat_alloc_output_context2(format, (AVOutputFormat) null, "webm", target.toString()));
    AVCodec codec = avcodec_find_encoder_by_name("libvpx");
    encoder = avcodec_alloc_context3(codec);
    encoder.width(width).height(height).pix_fmt(AV_PIX_FMT_YUV420P);
    encoder.time_base(new AVRational().num(1).den(CLOCK));
    encoder.framerate(new AVRational().num((int) Math.round(1000 * rate)).den(1000));
    encoder.bit_rate(Math.max(MIN_BIT_RATE, (long) width * height * BITS_PER_PIXEL_AND_SECOND));
    encoder.gop_size((int) Math.ceil(rate));
    encoder.thread_count(1);
    encoder.flags(encoder.flags() | AV_CODEC_FLAG_GLOBAL_HEADER);
    AVDictionary options = new AVDictionary(null);
    av_dict_set(options, "deadline", "realtime", 0);
    av_dict_set(options, "cpu-used", "6", 0);
    int opened = avcodec_open2(encoder, codec, options);
    av_dict_free(options);
    require(opened);
    stream = avformat_new_stream(format, codec);
    stream.time_base(encoder.time_base());
    require(avcodec_parameters_from_context(stream.codecpar(), encoder));
    AVIOContext out = new AVIOContext(null);
    require(avio_open(out, "file:" + target, AVIO_FLAG_WRITE));
    format.pb(out);
    require(avformat_write_header(format, (PointerPointer<?>) null));
    picture = av_frame_alloc();
    picture.format(AV_PIX_FMT_YUV420P).width(width).height(height);
    require(av_frame_get_buffer(picture, 0));
    packet = av_packet_alloc();
    pixels = new BytePointer(3L * width * height + READ_AHEAD);
    toYuv =
        sws_getContext(
            width,
            height,
            AV_PIX_FMT_RGB24,
            width,
            height,
            AV_PIX_FMT_YUV420P,
            SWS_BICUBIC,
            null,
            null,
            (DoublePointer) null);
  }

  private void add(int number, byte[] rgb) {
    pixels.position(0).put(rgb);
    require(av_frame_make_writable(picture));
    try (PointerPointer<BytePointer> planes = new PointerPointer<>(4);
        IntPointer strides = new IntPointer(4)) {
      planes.put(0, pixels.position(0));
      strides.put(0, 3 * width);
      sws_scale(toYuv, planes, strides, 0, height, picture.data(), picture.linesize());
    }
    picture.pts(Math.round(number * CLOCK / rate));
    require(avcodec_send_frame(encoder, picture));
    writePackets();
  }

  private void writePackets() {
    while (avcodec_receive_packet(encoder, packet) >= 0) {
      av_packet_rescale_ts(packet, encoder.time_base(), stream.time_base());
      packet.stream_index(stream.index());
      require(av_interleaved_write_frame(format, packet));
      av_packet_unref(packet);
    }
  }

  private void finish() {
    require(avcodec_send_frame(encoder, null));
    writePackets();
    require(av_write_trailer(format));
  }

  private void require(int code) {
    if (code < 0) {
      throw new UncheckedIOException(
          new IOException(
              "%s: cannot be written: %s.".formatted(target, FfmpegVideo.reason(code))));
    }
  }

  @Override
  public void close() {
    sws_freeContext(toYuv);
    if (packet != null) {
      av_packet_free(packet);
    }
    if (picture != null) {
      av_frame_free(picture);
    }
    if (encoder != null) {
      avcodec_free_context(encoder);
    }
    if (format != null && !format.isNull()) {
      if (format.pb() != null && !format.pb().isNull()) {
        avio_closep(format.pb());
      }
      avformat_free_context(format);
    }
    if (pixels != null) {
      pixels.close();
    }
  }
}
