package org.alfamix.studio.source;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.alfamix.datasets.ClipOptions;
import org.alfamix.datasets.ImageFolder;
import org.alfamix.datasets.VideoFolder;
import org.alfamix.io.DataException;

/**
 * Videos in a folder, or in a zip file, which is unpacked once. Only files in the folder are
 * served: neither a name with dots nor a link leads outside it.
 */
final class VideoSource implements ItemSource {
  private static final long MEMORY = 256L << 20;

  private final VideoFolder videos;
  private final SourceFolder root;
  private final Clips clips;
  private final List<String> names = new ArrayList<>();
  private final List<String> skipped = new ArrayList<>();
  private volatile ReadableInputs readable;

  /** Opens a source with all readable videos; others are skipped. */
  VideoSource(Path path, Path dataFolder) {
    this(path, dataFolder, List.of());
    for (String name : videos.names()) {
      try {
        Clips.check(root.require(name));
        names.add(name);
      } catch (DataException e) {
        skipped.add(e.getMessage());
      }
    }
    if (names.isEmpty()) {
      throw new DataException(
          "%s: expected videos (MP4, MOV, AVI, WebM, MKV or GIF), found none%s"
              .formatted(path, skipped.isEmpty() ? "." : "; " + skipped.get(0)));
    }
  }

  /** Opens the videos of a project; each is checked when it is shown. */
  VideoSource(Path path, Path dataFolder, List<String> known) {
    this.videos = VideoFolder.open(path, dataFolder.resolve("unpacked"));
    this.root = new SourceFolder(videos.folder().toAbsolutePath());
    this.clips = new Clips(dataFolder);
    this.names.addAll(known);
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
    return isPicture(item) ? root.show(names.get(item)) : clips.show(path(item));
  }

  /** Browsers animate a GIF as a picture. */
  @Override
  public boolean isPicture(int item) {
    return Clips.ending(Path.of(names.get(item))).equals("gif");
  }

  @Override
  public boolean isClip(int item) {
    return !isPicture(item);
  }

  @Override
  public DisplayedItem.Picture poster(int item) {
    return Clips.poster(path(item));
  }

  @Override
  public Optional<Path> file(int item) {
    return Optional.of(path(item));
  }

  private Path path(int item) {
    return root.require(names.get(item));
  }

  @Override
  public ModelInput modelInput() {
    return modelInput(Clips.PIXELS.side());
  }

  @Override
  public ModelInput modelInput(int side) {
    ClipOptions frames = ClipOptions.even(Clips.PIXELS.frames(), side);
    readable = new ReadableInputs(videos.inputs(names, frames, MEMORY), this::path);
    return new ModelInput.Raw(readable, ImageFolder.PHOTOS);
  }
}
