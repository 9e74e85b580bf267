package org.alfamix.math;

import java.util.Locale;

/** Which kernels run in this process, and why; decided once, when {@link Kernels} is first used. */
record KernelSelection(KernelProvider provider, String reason) {
  private static final String MODULE = "jdk.incubator.vector";

  /**
   * @param wish {@code auto}, {@code scalar} or {@code vector}; the last fails where the vector
   *     kernels cannot be had, so that nobody measures or ships a silent fallback
   */
  static KernelSelection of(String wish) {
    String obstacle = obstacleToVectors();
    switch (wish.toLowerCase(Locale.ROOT)) {
      case "scalar":
        return new KernelSelection(new ScalarKernels(), "asked for");
      case "vector":
        if (obstacle != null) {
          throw new IllegalStateException(
              "alfamix.kernels=vector, but the vector kernels cannot be had: " + obstacle + ".");
        }
        return new KernelSelection(vectorKernels(), "asked for");
      case "auto":
        return obstacle == null
            ? new KernelSelection(vectorKernels(), "the Vector API is there")
            : new KernelSelection(new ScalarKernels(), obstacle);
      default:
        throw new IllegalStateException(
            "alfamix.kernels=" + wish + ", expected auto, scalar or vector.");
    }
  }

  private static String obstacleToVectors() {
    if (ModuleLayer.boot().findModule(MODULE).isEmpty()) {
      return "Java was started without --add-modules=" + MODULE;
    }
    if (System.getProperty("java.vm.info", "").contains("interpreted")) {
      return "Java runs interpreted, where vectors are slower than scalars";
    }
    return null;
  }

  // Named in a method of its own: the class must not be linked where its module is missing.
  private static KernelProvider vectorKernels() {
    return new VectorKernels();
  }
}
