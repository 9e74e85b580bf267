package org.alfamix.studio.source;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import org.alfamix.datasets.ImageFile;
import org.alfamix.io.DataException;

/** A folder whose files are served; neither a name with dots nor a link leads outside it. */
final class SourceFolder {
  /** The largest number of pixels; larger files are not photos and would exhaust the memory. */
  static final long MAX_PIXELS = 100_000_000;

  private static final int MAX_BYTES = 256 << 20;
  private static final int MAX_TEXT_LENGTH = 1 << 20;

  private final Path folder;

  SourceFolder(Path folder) {
    try {
      this.folder = folder.toRealPath();
    } catch (IOException e) {
      throw DataException.unreadable(folder, e);
    }
  }

  /**
   * Returns a file in the folder by its name.
   *
   * @throws DataException if it does not exist or lies outside the folder
   */
  Path require(String name) {
    try {
      Path file = folder.resolve(name).toRealPath();
      if (!file.startsWith(folder)) {
        throw new DataException(name + ": the path is outside the project's folder.");
      }
      return file;
    } catch (InvalidPathException e) {
      throw new DataException(name + ": not the name of a file.", e);
    } catch (IOException e) {
      throw DataException.unreadable(folder.resolve(name), e);
    }
  }

  /** Returns the presentation of a file: a picture, a text, or only its name. */
  DisplayedItem show(String name) {
    String ending = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return switch (ending) {
      case "png", "jpg", "jpeg", "webp", "gif" -> picture(name);
      case "txt", "md" ->
          new DisplayedItem.Text(new String(bytes(name, MAX_TEXT_LENGTH), StandardCharsets.UTF_8));
      default -> new DisplayedItem.Link(name);
    };
  }

  private DisplayedItem picture(String name) {
    byte[] bytes = bytes(name, MAX_BYTES);
    return new DisplayedItem.Picture(bytes, ImageFile.of(name, bytes, MAX_PIXELS).type());
  }

  /** Reads the beginning of a file, up to a limit. */
  private byte[] bytes(String name, int most) {
    Path file = require(name);
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(most);
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
  }
}
