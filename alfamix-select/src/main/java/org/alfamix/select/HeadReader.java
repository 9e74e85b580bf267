package org.alfamix.select;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.alfamix.error.InvalidDataException;
import org.alfamix.io.DataException;
import org.alfamix.io.array.ArrayBundle;
import org.alfamix.io.array.Npy;
import org.alfamix.io.array.Npz;
import org.alfamix.io.array.NumericArray;
import org.alfamix.model.LinearHead;

/** Reads the last layer of a model: a weight of classes × features and a bias of classes. */
public final class HeadReader {
  /**
   * Names of the layer in common networks; the empty name stands for a file that holds only the
   * layer.
   */
  private static final List<String> LAYERS =
      List.of("", "fc", "classifier", "head", "heads.head", "linear", "output", "out", "logits");

  private static final List<String[]> PARTS =
      List.of(
          new String[] {"weight", "bias"},
          new String[] {"W", "b"},
          new String[] {"coef_", "intercept_"},
          new String[] {"coef", "intercept"},
          new String[] {"weights", "biases"});

  /** The optional array of class names. */
  static final String CLASSES = "classes";

  private HeadReader() {}

  /**
   * A head and the assumptions that were needed to read it.
   *
   * @param classNames the names of its rows if the file has them as {@code classes}, or null
   * @param remark a sentence for the user, or null
   */
  public record Reading(LinearHead head, List<String> classNames, String remark) {}

  /**
   * Reads an {@code .npz} or {@code .safetensors} file that holds the layer, or a whole network.
   */
  public static Reading read(Path file, int features) {
    ArrayBundle bundle = ArrayBundle.open(file);
    List<String> usual = new ArrayList<>();
    for (String layer : LAYERS) {
      for (String[] part : PARTS) {
        String weight = (layer.isEmpty() ? "" : layer + ".") + part[0];
        if (bundle.shape(weight).filter(shape -> shape.length == 2).isPresent()) {
          usual.add(weight);
        }
      }
    }
    // Prefers a common name whose shape fits; otherwise the first one, whose shape is then
    // reported.
    List<String> usualThatFit =
        usual.stream().filter(weight -> fits(bundle, weight, features)).toList();
    if (usualThatFit.size() > 1) {
      throw several(file, usualThatFit);
    }
    if (usualThatFit.size() == 1) {
      return reading(bundle, usualThatFit.get(0), features, false);
    }
    if (!usual.isEmpty()) {
      return reading(bundle, usual.get(0), features, false);
    }
    // A layer with another name is the head if it is the only one that fits.
    List<String> fitting =
        bundle.names().stream()
            .filter(name -> name.endsWith(".weight"))
            .filter(name -> fits(bundle, name, features))
            .toList();
    if (fitting.size() == 1) {
      return reading(bundle, fitting.get(0), features, true);
    }
    throw new DataException(
        fitting.isEmpty()
            ? "%s: no weight and bias among %s; expected names such as weight and bias, W and b, fc.weight and fc.bias."
                .formatted(file, TableColumns.list(bundle.names()))
            : several(file, fitting).getMessage());
  }

  private static DataException several(Path file, List<String> layers) {
    return new DataException(
        "%s: several layers fit (%s); save only the last one."
            .formatted(file, TableColumns.list(layers)));
  }

  private static boolean fits(ArrayBundle bundle, String weight, int features) {
    long[] shape = bundle.shape(weight).orElseThrow();
    Optional<long[]> bias = bundle.shape(biasOf(weight));
    return shape.length == 2
        && shape[1] == features
        && (bias.isEmpty() || (bias.get().length == 1 && bias.get()[0] == shape[0]));
  }

  /** Returns the name of the bias for that of the weight: {@code fc.bias} for {@code fc.weight}. */
  private static String biasOf(String weight) {
    for (String[] part : PARTS) {
      if (weight.equals(part[0]) || weight.endsWith("." + part[0])) {
        return weight.substring(0, weight.length() - part[0].length()) + part[1];
      }
    }
    throw new IllegalArgumentException(weight);
  }

  private static Reading reading(ArrayBundle bundle, String weight, int features, boolean guessed) {
    NumericArray weights = bundle.array(weight);
    String bias = biasOf(weight);
    boolean hasBias = bundle.shape(bias).isPresent();
    LinearHead head = head(weights, hasBias ? bundle.array(bias) : null, features);
    String remark = guessed ? weights.name() + " is used as the head: no other layer fits." : null;
    if (!hasBias) {
      String missing = "%s has no '%s'; the bias is 0.".formatted(bundle.name(), bias);
      remark = remark == null ? missing : remark + " " + missing;
    }
    return new Reading(head, classNames(bundle, head), remark);
  }

  /**
   * Returns the class names in the file, or null if their number differs from that of the head's
   * classes.
   */
  private static List<String> classNames(ArrayBundle bundle, LinearHead head) {
    if (!(bundle instanceof Npz npz) || !npz.names().contains(CLASSES)) {
      return null;
    }
    try {
      List<String> names = List.of(npz.texts(CLASSES));
      boolean fits =
          names.size() == head.classes() && names.stream().distinct().count() == names.size();
      return fits ? names : null;
    } catch (DataException e) {
      return null;
    }
  }

  /**
   * Reads weight and bias from two {@code .npy} files.
   *
   * @param bias null for a layer without bias
   */
  public static LinearHead read(Path weight, Path bias, int features) {
    return head(Npy.open(weight), bias == null ? null : Npy.open(bias), features);
  }

  private static LinearHead head(NumericArray weight, NumericArray bias, int features) {
    weight.requireDimensions(2);
    long[] shape = weight.shape();
    if (shape[1] != features) {
      String hint = shape[0] == features ? "; it is transposed: save weight.T" : "";
      throw new DataException(
          "%s: shape %s, expected classes x %d, one column per feature of the embeddings%s."
              .formatted(weight.name(), weight.formatShape(), features, hint));
    }
    if (shape[0] < 2) {
      throw new DataException(
          "%s: shape %s, expected at least two rows, one per class (for a single weight vector w, save [-w/2, w/2])."
              .formatted(weight.name(), weight.formatShape()));
    }
    float[] values = bias == null ? new float[(int) shape[0]] : bias.readFloats();
    if (values.length != shape[0] || (bias != null && bias.dimensions() != 1)) {
      throw new DataException(
          "%s: %s, expected %d, one value for each row of the weight."
              .formatted(bias.name(), bias.formatShape(), shape[0]));
    }
    try {
      return new LinearHead(weight.readMatrix(), values);
    } catch (InvalidDataException e) {
      throw new DataException(weight.name() + ": " + e.getMessage(), e);
    }
  }
}
