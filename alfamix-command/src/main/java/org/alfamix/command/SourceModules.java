package org.alfamix.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import org.alfamix.io.EngineSource;

/**
 * Builds a module of the source tree when its engine is first needed. The launcher at the root of
 * the tree sets an environment variable with its path; without it no engine is found.
 */
public final class SourceModules implements EngineSource {
  private static final String LAUNCHER = "ALFAMIX_SOURCE_LAUNCHER";

  private static final Map<String, String> MODULES =
      Map.of(
          "org.alfamix.io.table.TableEngine", "alfamix-tables",
          "org.alfamix.learn.embed.EmbedderEngine", "alfamix-onnx",
          "org.alfamix.learn.embed.TextEncoderEngine", "alfamix-onnx",
          "org.alfamix.datasets.video.VideoEngine", "alfamix-video");

  /** One class loader per module, because native libraries can be loaded only once. */
  private static final Map<String, ClassLoader> LOADERS = new ConcurrentHashMap<>();

  private final String launcher;

  /** For {@link ServiceLoader}. */
  public SourceModules() {
    this(System.getenv(LAUNCHER));
  }

  SourceModules(String launcher) {
    this.launcher = launcher;
  }

  /** Returns whether the command was started by the launcher of the source tree. */
  public static boolean isSourceTree() {
    return System.getenv(LAUNCHER) != null;
  }

  @Override
  public <T> Optional<T> find(Class<T> engine) {
    String module = MODULES.get(engine.getName());
    if (launcher == null || module == null) {
      return Optional.empty();
    }
    ClassLoader loader = LOADERS.computeIfAbsent(module, name -> build(launcher, name));
    return ServiceLoader.load(engine, loader).findFirst();
  }

  /** Builds a module with the launcher, which prints the paths of its jars. */
  private static ClassLoader build(String launcher, String module) {
    try {
      Process process =
          new ProcessBuilder("bash", launcher, "--build", module)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      process.getOutputStream().close();
      String jars = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new UncheckedIOException(new IOException(module + " could not be built."));
      }
      return new URLClassLoader(urls(jars.lines().toList()), SourceModules.class.getClassLoader());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(
          new IOException("The build of " + module + " was interrupted.", e));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static URL[] urls(List<String> jars) throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    for (String jar : jars) {
      urls.add(Path.of(jar).toUri().toURL());
    }
    return urls.toArray(URL[]::new);
  }
}
