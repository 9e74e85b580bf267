package org.alfamix.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.strategy.Entropy;
import org.alfamix.strategy.NoOptions;
import org.alfamix.strategy.Strategies;
import org.alfamix.strategy.StrategyEntry;
import org.alfamix.strategy.StrategyProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegistryTest {
  @TempDir private Path folder;

  public static final class Added implements StrategyProvider {
    @Override
    public List<StrategyEntry<?>> entries() {
      return List.of(entry("added"));
    }
  }

  public static final class Second implements StrategyProvider {
    @Override
    public List<StrategyEntry<?>> entries() {
      return List.of(entry("added"));
    }
  }

  public static final class TakesABuiltInName implements StrategyProvider {
    @Override
    public List<StrategyEntry<?>> entries() {
      return List.of(entry("entropy"));
    }
  }

  public static final class Broken implements StrategyProvider {
    public Broken() {
      throw new IllegalStateException("no licence file");
    }

    @Override
    public List<StrategyEntry<?>> entries() {
      return List.of();
    }
  }

  private static StrategyEntry<NoOptions> entry(String name) {
    return StrategyEntry.of(name, "of a plug-in", "", Entropy::new);
  }

  /** Runs code with a context class loader that has these plug-ins. */
  private <T> T with(Callable<T> code, Class<?>... providers) throws Exception {
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    StringBuilder names = new StringBuilder();
    for (Class<?> provider : providers) {
      names.append(provider.getName()).append('\n');
    }
    Files.writeString(services.resolve(StrategyProvider.class.getName()), names);
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
      Thread.currentThread().setContextClassLoader(loader);
      return code.call();
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  @Test
  void findsStrategiesThroughTheContextClassLoader() throws Exception {
    assertThrows(InvalidRequestException.class, () -> Strategies.named("added"));
    with(
        () -> {
          assertEquals("added", Strategies.named("added").name());
          assertSame(Strategies.all(), Strategies.all(), "searched once");
          int builtIn = Strategies.builtIn().size();
          assertEquals(Strategies.builtIn(), Strategies.all().subList(0, builtIn));
          assertEquals(builtIn + 1, Strategies.all().size());
          return null;
        },
        Added.class);
    assertThrows(InvalidRequestException.class, () -> Strategies.named("added"));
  }

  @Test
  void reportsClashesOfNamesWithBothSources() throws Exception {
    String message =
        with(
            () -> assertThrows(InvalidRequestException.class, Strategies::all).getMessage(),
            Added.class,
            Second.class);
    assertEquals(
        "Two strategies have the name 'added': %s and %s."
            .formatted(Added.class.getName(), Second.class.getName()),
        message);
    with(
        () -> {
          String builtIn =
              assertThrows(InvalidRequestException.class, Strategies::all).getMessage();
          assertTrue(builtIn.contains("'entropy': alfamix and "), builtIn);
          assertTrue(Strategies.named("entropy").create() instanceof Entropy, "built-in names win");
          return null;
        },
        TakesABuiltInName.class);
  }

  @Test
  void reportsAPluginThatCannotBeLoaded() throws Exception {
    String message =
        with(
            () -> assertThrows(InvalidRequestException.class, Strategies::all).getMessage(),
            Broken.class);
    assertTrue(message.startsWith("A plug-in cannot be loaded: "), message);
    assertTrue(message.contains("no licence file"), message);
  }

  @Test
  void worksWithoutAContextClassLoader() {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try {
      Thread.currentThread().setContextClassLoader(null);
      assertFalse(Strategies.all().isEmpty());
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }
}
