package org.alfamix.studio.source;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The items of a project. Implementations allow calls from several threads. */
public interface ItemSource extends AutoCloseable {

  /** What each is called, in order; names are unique. */
  List<String> names();

  /**
   * How a person sees an item.
   *
   * @throws org.alfamix.io.DataException where it is not what it was when the project was made
   */
  Shown show(int item);

  /** Whether people see a picture. */
  default boolean isPicture(int item) {
    return show(item) instanceof Shown.Picture;
  }

  /** Returns whether people see a clip that plays. */
  default boolean isClip(int item) {
    return false;
  }

  /** Returns a still picture of a clip. */
  default Shown.Picture poster(int item) {
    throw new UnsupportedOperationException("Item %d is not a clip.".formatted(item));
  }

  /** Returns the file of an item that has one of its own, as it is. */
  default Optional<Path> file(int item) {
    return Optional.empty();
  }

  /** What a model sees; may be read slowly. */
  Material material();

  /**
   * The same for a network that sees pictures at a size of its own, where there are larger ones.
   *
   * @param side height and width
   */
  default Material material(int side) {
    return material();
  }

  /** What was left out when the source was read, or could not be read since, in words. */
  default List<String> leftOut() {
    return List.of();
  }

  @Override
  default void close() {}
}
