package org.alfamix.math;

import java.util.Locale;

/**
 * The kernels of this process and the reason for their choice, which is made when {@link Kernels}
 * is first used.
 *
 * @param fallback whether vector kernels were wanted but are unavailable
 */
record KernelSelection(KernelProvider provider, boolean fallback, String reason) {
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
        return new KernelSelection(new ScalarKernels(), false, "requested");
      case "vector":
        if (problem != null) {
          throw new IllegalStateException(
              "alfamix.kernels=vector, but the vector kernels are unavailable: " + problem + ".");
        }
        return new KernelSelection(vectorKernels(), false, "requested");
      case "auto":
        return problem == null
            ? new KernelSelection(vectorKernels(), false, "the Vector API is available")
            : new KernelSelection(new ScalarKernels(), true, problem);
      default:
        throw new IllegalStateException(
            "alfamix.kernels=" + requested + ", expected auto, scalar or vector.");
    }
  }

  /** Logs the choice once per process: as a warning if it costs speed. */
  void log(System.Logger logger) {
    if (fallback) {
      logger.log(
          System.Logger.Level.WARNING,
          "{0}. alfamix computes without vector instructions, three to twelve times as slow. To"
              + " accept this without a warning, set -Dalfamix.kernels=scalar.",
          reason);
    } else {
      logger.log(System.Logger.Level.DEBUG, "kernels: {0} ({1})", provider.description(), reason);
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
