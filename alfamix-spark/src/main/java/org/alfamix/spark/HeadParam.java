package org.alfamix.spark;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.alfamix.io.table.JsonTree;
import org.alfamix.math.FloatMatrix;
import org.alfamix.model.LinearHead;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.util.Identifiable;

/**
 * A parameter with the last layer of a model. It is saved as JSON with one text per class: its
 * weights and its bias, as little-endian floats in Base64, so that no digit is lost.
 */
final class HeadParam extends Param<LinearHead> {
  private static final long serialVersionUID = 1;

  HeadParam(Identifiable parent, String name, String doc) {
    super(parent, name, doc);
  }

  @Override
  public String jsonEncode(LinearHead head) {
    float[] bias = head.bias();
    return IntStream.range(0, head.classes())
        .mapToObj(k -> '"' + encode(head.weights().row(k), bias[k]) + '"')
        .collect(Collectors.joining(",", "{\"classes\":[", "]}"));
  }

  private static String encode(float[] weights, float bias) {
    ByteBuffer bytes =
        ByteBuffer.allocate(Float.BYTES * (weights.length + 1)).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(weights).put(bias);
    return Base64.getEncoder().encodeToString(bytes.array());
  }

  @Override
  public LinearHead jsonDecode(String json) {
    List<JsonTree> classes = JsonTree.parse("parameter " + name(), json).get("classes").list();
    FloatMatrix weights = null;
    float[] bias = new float[classes.size()];
    for (int k = 0; k < bias.length; k++) {
      ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(classes.get(k).text()));
      int features = bytes.capacity() / Float.BYTES - 1;
      if (weights == null) {
        weights = FloatMatrix.zeros(bias.length, features);
      }
      bytes
          .order(ByteOrder.LITTLE_ENDIAN)
          .asFloatBuffer()
          .get(weights.array(), weights.rowOffset(k), features)
          .get(bias, k, 1);
    }
    return new LinearHead(weights, bias);
  }
}
