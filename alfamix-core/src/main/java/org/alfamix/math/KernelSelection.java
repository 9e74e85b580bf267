package org.alfamix.math;

import java.util.Locale;

/**
 * The kernels of this process and the reason for their choice, which is made when {@link Kernels}
 * is first used.
 */
record KernelSelection(KernelProvider provider, String reason) {
  private static final String MODULE = "jdk.incubator.vector";

  /**
   * Selects the kernels.
   *
   * @param requested {@code auto}, {@code scalar} or {@code vector}; {@code vector} fails if the
   *     vector kernels are unavailable, so that a silent fallback cannot be measured or shipped
   */
  static KernelSelection of(String requested) {
    String problem = checkVectorSupport();
    switch (requested.toLowerCase(Locale.ROOT)) {
      case "scalar":
        return new KernelSelection(new ScalarKernels(), "requested");
      case "vector":
        if (problem != null) {
          throw new IllegalStateException(
              "alfamix.kernels=vector, but the vector kernels are unavailable: " + problem + ".");
        }
        return new KernelSelection(vectorKernels(), "requested");
      case "auto":
        return problem == null
            ? new KernelSelection(vectorKernels(), "the Vector API is available")
            : new KernelSelection(new ScalarKernels(), problem);
      default:
        throw new IllegalStateException(
            "alfamix.kernels=" + requested + ", expected auto, scalar or vector.");
    }
  }

  /** Returns why the vector kernels are unavailable, or null if they are available. */
  private static String checkVectorSupport() {
    if (ModuleLayer.boot().findModule(MODULE).isEmpty()) {
      return "Java was started without --add-modules=" + MODULE;
    }
    if (System.getProperty("java.vm.info", "").contains("interpreted")) {
      return "the JVM runs in interpreted mode, in which vectors are slower than scalars";
    }
    return null;
  }

  // A separate method: the class must not be linked if its module is missing.
  private static KernelProvider vectorKernels() {
    return new VectorKernels();
  }
}
