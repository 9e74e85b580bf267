package org.alfamix.studio.source;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;

/** The items of a project. Implementations allow calls from several threads. */
public interface ItemSource extends AutoCloseable {

  /** Returns the unique names of the items, in order. */
  List<String> names();

  /**
   * Returns the presentation of an item.
   *
   * @throws org.alfamix.io.DataException if the item has changed since the project was created
   */
  DisplayedItem show(int item);

  /** Returns whether items are shown as pictures. */
  default boolean isPicture(int item) {
    return show(item) instanceof DisplayedItem.Picture;
  }

  /** Returns whether items are shown as clips that play. */
  default boolean isClip(int item) {
    return false;
  }

  /** Returns a still picture of a clip. */
  default DisplayedItem.Picture poster(int item) {
    throw new UnsupportedOperationException("Item %d is not a clip.".formatted(item));
  }

  /** Returns the file of an item, unchanged, if the item is a file. */
  default Optional<Path> file(int item) {
    return Optional.empty();
  }

  /** Returns the input of a model; reading may be slow. */
  ModelInput modelInput();

  /** Returns whether items are texts whose features are computed. */
  default boolean hasTexts() {
    return false;
  }

  /**
   * Returns the input of a model, with the requested features of texts.
   *
   * @param features the features of the project; they only matter for texts
   * @param progress receives the number of items whose features have been computed
   */
  default ModelInput modelInput(String features, IntConsumer progress) {
    return modelInput();
  }

  /**
   * Returns the input of a network with its own size of pictures, if the originals are larger.
   *
   * @param side height and width
   */
  default ModelInput modelInput(int side) {
    return modelInput();
  }

  /** Returns remarks on the source, such as columns that are not learnt from. */
  default List<String> remarks() {
    return List.of();
  }

  /** Returns the files that were skipped, or that could not be read since, in words. */
  default List<String> skipped() {
    return List.of();
  }

  @Override
  default void close() {}
}
