package org.alfamix.studio.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.alfamix.data.DataException;
import org.alfamix.dataset.ImageFile;
import org.alfamix.dataset.ImageFolder;
import org.alfamix.dataset.Inputs;
import org.alfamix.dataset.Scaling;

/**
 * Pictures in a folder or a zip file. Only what lies in the folder is served: neither a name with
 * dots nor a link leads out of it, whatever becomes of the folder later.
 */
final class PictureSource implements ItemSource {
  /** Larger ones are no photos, and would take the memory of everything else. */
  static final long MOST_PIXELS = 100_000_000;

  private static final int SIDE = 32;
  private static final long MEMORY = 256L << 20;

  private final Path root;
  private final boolean folder;
  private final ImageFolder images;
  private final List<String> names = new ArrayList<>();
  private final List<String> leftOut = new ArrayList<>();

  /** All pictures that can be shown; what cannot is left out. */
  PictureSource(Path root) {
    this(root, List.of());
    for (String name : images.names()) {
      try {
        if (folder) {
          requireInside(name);
        }
        images.header(name, MOST_PIXELS);
        names.add(name);
      } catch (DataException e) {
        leftOut.add(e.getMessage());
      }
    }
    if (names.isEmpty()) {
      throw new DataException(
          "%s: no pictures in it, expected JPEG, PNG or WebP%s"
              .formatted(root, leftOut.isEmpty() ? "." : "; " + leftOut.get(0)));
    }
  }

  /** Those that a project has; each is looked at when it is shown. */
  PictureSource(Path root, List<String> known) {
    this.images = ImageFolder.open(root);
    this.folder = Files.isDirectory(root);
    this.names.addAll(known);
    try {
      this.root = root.toRealPath();
    } catch (IOException e) {
      throw DataException.unreadable(root, e);
    }
  }

  @Override
  public List<String> names() {
    return List.copyOf(names);
  }

  @Override
  public List<String> leftOut() {
    return List.copyOf(leftOut);
  }

  @Override
  public Shown show(int item) {
    byte[] bytes = bytes(names.get(item));
    // Once more: the file may have become another one.
    return new Shown.Picture(bytes, ImageFile.of(names.get(item), bytes, MOST_PIXELS).type());
  }

  private byte[] bytes(String name) {
    if (folder) {
      requireInside(name);
    }
    return images.bytes(name);
  }

  private void requireInside(String name) {
    try {
      if (!root.resolve(name).toRealPath().startsWith(root)) {
        throw new DataException(name + ": it leads out of the project's folder.");
      }
    } catch (IOException e) {
      throw DataException.unreadable(root.resolve(name), e);
    }
  }

  @Override
  public Material material() {
    Inputs inputs = images.inputs(names, SIDE, MEMORY);
    return new Material.Raw(inputs, Scaling.standardising(inputs));
  }
}
