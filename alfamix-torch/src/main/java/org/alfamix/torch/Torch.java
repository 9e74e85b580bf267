package org.alfamix.torch;

import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.openblas.global.openblas;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.global.torch;

/** Loads the native library and sets the options of the whole process. */
final class Torch {
  private static boolean loaded;
  private static boolean cudaTried;

  private Torch() {}

  /** Loads libtorch. The first time on a machine takes a few seconds, because it is unpacked. */
  static synchronized void load() {
    if (loaded) {
      return;
    }
    // JavaCPP would count all memory of the process against a share of Java's heap, and fail for
    // large tensors; here scopes limit the memory instead.
    if (System.getProperty("org.bytedeco.javacpp.maxPhysicalBytes") == null) {
      System.setProperty("org.bytedeco.javacpp.maxPhysicalBytes", "0");
    }
    try {
      NativeCache.load(torch.class);
      // The threads of OpenBLAS would compete with those of OpenMP: small layers were 30 times
      // slower.
      openblas.blas_set_num_threads(1);
    } catch (LinkageError e) {
      throw new DataException(
          "libtorch cannot be loaded: %s. Check that its jar for %s is on the class path."
              .formatted(firstLine(e), Loader.Detector.getPlatform()),
          e);
    }
    loaded = true;
  }

  private static String firstLine(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String text = root.getMessage() == null ? root.toString() : root.getMessage();
    return text.lines().findFirst().orElse("").replaceAll("\\.$", "");
  }

  /**
   * Sets the number of threads that the calling thread computes with. Sums depend on it, so a run
   * keeps it constant. libtorch stores it per thread: set it wherever work starts.
   */
  static void setThreads(int count) {
    // The first query initializes the number for this thread, and would overwrite an earlier
    // setting.
    torch.get_num_threads();
    torch.set_num_threads(count);
  }

  /**
   * Returns the device of a name.
   *
   * @param name {@code auto}, {@code cpu} or {@code cuda:N}
   */
  static Device device(String name) {
    load();
    if (name.equals("cpu")) {
      return retained("cpu");
    }
    if (!name.equals("auto") && !name.matches("cuda(:\\d{1,3})?")) {
      throw new InvalidRequestException(
          "device", "is '%s', expected auto, cpu or cuda:N, such as cuda:0.".formatted(name));
    }
    int count = cudaDevices();
    if (name.equals("auto")) {
      return retained(count > 0 ? "cuda:0" : "cpu");
    }
    if (count == 0) {
      throw new DataException(
              name
                  + ": libtorch found no GPU; expected an NVIDIA GPU and a CUDA build of alfamix"
                  + " (ALFAMIX_GPU=1, or -Dalfamix.gpu).")
          .advise("choose cpu or auto", "device");
    }
    int number = name.equals("cuda") ? 0 : Integer.parseInt(name.substring("cuda:".length()));
    if (number >= count) {
      throw new DataException(
          "%s: found %s, expected cuda:0%s."
              .formatted(
                  name,
                  count == 1 ? "one GPU" : count + " GPUs",
                  count == 1 ? "" : " to cuda:" + (count - 1)));
    }
    return retained("cuda:" + number);
  }

  /** Creates a device that outlives any open scope; the caller closes it. */
  private static Device retained(String name) {
    return new Device(name).retainReference();
  }

  /** Returns the number of GPUs. libtorch's part for CUDA is a separate library, loaded first. */
  private static synchronized int cudaDevices() {
    if (!cudaTried) {
      cudaTried = true;
      try {
        NativeCache.load(Class.forName("org.bytedeco.pytorch.global.torch_cuda"));
        torch.globalContext().setDeterministicCuDNN(true);
      } catch (ClassNotFoundException | LinkageError e) {
        return 0; // the build without CUDA
      }
    }
    return torch.cuda_is_available() ? torch.cuda_device_count() : 0;
  }
}
