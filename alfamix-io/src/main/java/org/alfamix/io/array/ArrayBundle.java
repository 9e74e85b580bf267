package org.alfamix.io.array;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.alfamix.io.DataException;

/** A file with several named arrays. */
public interface ArrayBundle {

  /** Returns the path of the file, for messages. */
  String name();

  /** Returns the names of all arrays, in the order of the file. */
  List<String> names();

  /** Returns the shape of a numeric array; empty if there is none of that name. */
  Optional<long[]> shape(String name);

  /** Returns the array of a name. */
  NumericArray array(String name);

  /** Creates an exception for a missing array. */
  default DataException noSuchArray(String array) {
    return new DataException(
        "%s: no array '%s'; it has %s.".formatted(name(), array, String.join(", ", names())));
  }

  /**
   * Opens an {@code .npz}, {@code .safetensors}, {@code .pth}, {@code .pyth} or {@code .pt} file.
   */
  static ArrayBundle open(Path file) {
    String name = file.getFileName().toString();
    if (name.endsWith(".npz")) {
      return Npz.open(file);
    }
    if (name.endsWith(".safetensors")) {
      return Safetensors.open(file);
    }
    if (name.matches(".*\\.(pth|pt|pyth)")) {
      return Pth.open(file);
    }
    throw new DataException(file + ": expected an .npz, .safetensors, .pth or .pt file.");
  }
}
