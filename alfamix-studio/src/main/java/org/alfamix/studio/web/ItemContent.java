package org.alfamix.studio.web;

import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Optional;
import org.alfamix.io.DataException;
import org.alfamix.studio.Studio;
import org.alfamix.studio.source.DisplayedItem;
import org.alfamix.studio.source.ItemSource;
import org.alfamix.studio.store.Item;
import org.alfamix.studio.store.Project;
import org.alfamix.studio.store.StoreException;

/** The content of items: pictures and their thumbnails, clips in parts, texts, fields. */
final class ItemContent {
  private static final int MAX_SIDE = 2_000;

  private final Studio studio;
  private final Thumbnails thumbnails = new Thumbnails();

  ItemContent(Studio studio) {
    this.studio = studio;
  }

  /** Answers a request for the content of an item. */
  void answer(Context context) {
    Project project = studio.project(context.pathParam("project"));
    Item item = studio.item(project, context.pathParam("item"));
    ItemSource source = studio.worker(project).source();
    String side = context.queryParam("side");
    String key = project.id() + "/" + item.number();
    DisplayedItem shown;
    try {
      shown =
          side != null && source.isClip(item.number())
              ? thumbnails.of(
                  key, Api.integer(side, 16, MAX_SIDE), () -> source.poster(item.number()))
              : source.show(item.number());
    } catch (DataException e) {
      throw StoreException.unreadable(e);
    }
    if (shown instanceof DisplayedItem.Clip clip) {
      send(context, clip);
    } else if (shown instanceof DisplayedItem.Picture whole) {
      DisplayedItem.Picture picture =
          side == null ? whole : thumbnails.of(key, whole, Api.integer(side, 16, MAX_SIDE));
      context.contentType(picture.type()).result(picture.bytes());
      context.header("Cache-Control", "private, max-age=3600");
    } else if (shown instanceof DisplayedItem.Text text) {
      context.contentType("text/plain; charset=utf-8").result(text.text());
    } else if (shown instanceof DisplayedItem.Link link) {
      JsonAnswer.answer(context, link);
    } else if (shown instanceof DisplayedItem.Fields fields) {
      JsonAnswer.answer(context, fields.values());
    }
  }

  /** Sends the part of a clip that a player asks for. */
  private static void send(Context context, DisplayedItem.Clip clip) {
    try (InputStream in = Files.newInputStream(clip.file())) {
      long size = Files.size(clip.file());
      Optional<ByteRange> range = ByteRange.parse(context.header("Range"), size);
      ByteRange part = range.orElse(new ByteRange(0, size - 1));
      context.contentType(clip.type());
      context.header("Accept-Ranges", "bytes");
      if (range.isPresent() && !part.isWithinFile()) {
        context.status(416).header("Content-Range", "bytes */" + size);
        return;
      }
      context.header("Cache-Control", "private, max-age=3600");
      context.header("Content-Length", Long.toString(part.length()));
      if (range.isPresent()) {
        context.status(206);
        context.header(
            "Content-Range", "bytes %d-%d/%d".formatted(part.first(), part.last(), size));
      }
      in.skipNBytes(part.first());
      copy(in, part.length(), context.outputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void copy(InputStream in, long length, OutputStream out) throws IOException {
    byte[] block = new byte[1 << 16];
    for (long left = length; left > 0; ) {
      int read = in.read(block, 0, (int) Math.min(block.length, left));
      if (read < 0) {
        return; // the file was truncated in the meantime
      }
      out.write(block, 0, read);
      left -= read;
    }
  }
}
