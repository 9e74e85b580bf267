package org.alfamix.torch;

import org.alfamix.io.DataException;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.openblas.global.openblas;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.global.torch;

/** Loads the native library and sets what is set once for the whole process. */
final class Torch {
  private static boolean loaded;
  private static boolean cudaTried;

  private Torch() {}

  /** Loads libtorch; the first call takes some seconds on a machine that has not seen it yet. */
  static synchronized void load() {
    if (loaded) {
      return;
    }
    // JavaCPP would count all memory of the process against a share of Java's heap, and fail where
    // tensors are large; what we hold is bounded by scopes instead.
    if (System.getProperty("org.bytedeco.javacpp.maxPhysicalBytes") == null) {
      System.setProperty("org.bytedeco.javacpp.maxPhysicalBytes", "0");
    }
    try {
      NativeCache.load(torch.class);
      // Its own threads would fight with OpenMP's, thirty times slower for small layers.
      openblas.blas_set_num_threads(1);
    } catch (LinkageError e) {
      throw new DataException(
          "libtorch cannot be loaded: %s. Is its jar for %s on the class path?"
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
   * How many threads the calling thread computes with. Sums depend on it, so a run fixes it; it is
   * kept per thread, and set again wherever work begins.
   */
  static void threads(int count) {
    // The first look sets it up for this thread, and would undo what is set before.
    torch.get_num_threads();
    torch.set_num_threads(count);
  }

  /**
   * The device of a name.
   *
   * @param name {@code auto}, {@code cpu} or {@code cuda:N}
   */
  static Device device(String name) {
    load();
    if (name.equals("cpu")) {
      return held("cpu");
    }
    if (!name.equals("auto") && !name.matches("cuda(:\\d{1,3})?")) {
      throw new DataException(
          "'%s' is no device; expected auto, cpu or cuda:N, as cuda:0.".formatted(name));
    }
    int count = cudaDevices();
    if (name.equals("auto")) {
      return held(count > 0 ? "cuda:0" : "cpu");
    }
    if (count == 0) {
      throw new DataException(
              name
                  + ": libtorch finds no GPU; it needs an NVIDIA GPU and a build for it"
                  + " (ALFAMIX_GPU=1, or -Dalfamix.gpu).")
          .advise("choose cpu or auto", "device");
    }
    int number = name.equals("cuda") ? 0 : Integer.parseInt(name.substring("cuda:".length()));
    if (number >= count) {
      throw new DataException(
          "%s: there %s, cuda:0%s."
              .formatted(
                  name,
                  count == 1 ? "is one GPU" : "are " + count + " GPUs",
                  count == 1 ? "" : " to cuda:" + (count - 1)));
    }
    return held("cuda:" + number);
  }

  /** Beyond any scope that happens to be open; whoever asked closes it. */
  private static Device held(String name) {
    return new Device(name).retainReference();
  }

  /** CUDA's side of libtorch is another library, which must be loaded before anyone asks for it. */
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
