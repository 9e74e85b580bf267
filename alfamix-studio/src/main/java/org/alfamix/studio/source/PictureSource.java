package org.alfamix.studio.source;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.alfamix.datasets.ImageFile;
import org.alfamix.datasets.ImageFolder;
import org.alfamix.io.DataException;

/**
 * Pictures in a folder or a zip file. Only files in the folder are served: neither a name with dots
 * nor a link leads outside it, even if the folder changes later.
 */
final class PictureSource implements ItemSource {
  private static final int SIDE = 32;
  private static final long MEMORY = 256L << 20;

  private final SourceFolder root;
  private final boolean folder;
  private final ImageFolder images;
  private final List<String> names = new ArrayList<>();
  private final List<String> skipped = new ArrayList<>();
  private volatile ReadableInputs readable;

  /** Opens a source with all readable pictures; others are skipped. */
  PictureSource(Path path) {
    this(path, List.of());
    for (String name : images.names()) {
      try {
        check(name);
        names.add(name);
      } catch (DataException e) {
        skipped.add(e.getMessage());
      }
    }
    if (names.isEmpty()) {
      throw new DataException(
          "%s: expected images (JPEG, PNG or WebP), found none%s"
              .formatted(path, skipped.isEmpty() ? "." : "; " + skipped.get(0)));
    }
  }

  /** Opens the pictures of a project; each is checked when it is shown. */
  PictureSource(Path path, List<String> known) {
    this.images = ImageFolder.open(path);
    this.folder = Files.isDirectory(path);
    this.names.addAll(known);
    this.root = new SourceFolder(path.toAbsolutePath());
  }

  @Override
  public List<String> names() {
    return List.copyOf(names);
  }

  @Override
  public List<String> skipped() {
    ReadableInputs read = readable;
    return read == null ? List.copyOf(skipped) : read.unreadable();
  }

  @Override
  public DisplayedItem show(int item) {
    byte[] bytes = bytes(names.get(item));
    // Checked again, because the file may have been replaced.
    return new DisplayedItem.Picture(
        bytes, ImageFile.of(names.get(item), bytes, SourceFolder.MAX_PIXELS).type());
  }

  private byte[] bytes(String name) {
    if (folder) {
      root.require(name);
    }
    return images.bytes(name);
  }

  @Override
  public ModelInput modelInput() {
    return modelInput(SIDE);
  }

  @Override
  public ModelInput modelInput(int side) {
    readable =
        new ReadableInputs(images.inputs(names, side, MEMORY), item -> check(names.get(item)));
    return new ModelInput.Raw(readable, ImageFolder.PHOTOS);
  }

  /** The file may have become a link, or a picture that is too large to decode. */
  private void check(String name) {
    if (folder) {
      root.require(name);
    }
    images.header(name, SourceFolder.MAX_PIXELS);
  }

  @Override
  public boolean isPicture(int item) {
    return true;
  }
}
