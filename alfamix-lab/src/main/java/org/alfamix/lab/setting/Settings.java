package org.alfamix.lab.setting;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.alfamix.io.DataException;
import org.alfamix.io.Suggestions;

/** The built-in settings, and those that users define. */
public final class Settings {
  private static final String FOLDER = "/org/alfamix/lab/setting/";

  /** All names, in the order of the list that users see. */
  private static final List<String> NAMES = resource("index.txt").lines().toList();

  private Settings() {}

  /** Returns the names of all built-in settings, in the order of the list. */
  public static List<String> names() {
    return NAMES;
  }

  /** Returns the built-in settings: the paper's, its ablations and figures, and some small ones. */
  public static List<Setting> all() {
    return NAMES.stream().map(Settings::builtIn).toList();
  }

  /**
   * Finds settings by name, by number in the paper, by a pattern with asterisks, or by the path of
   * a file that ends in .yaml. A number matches the first setting of the list, which has the
   * publisher's data.
   *
   * @throws DataException if no setting matches
   */
  public static List<Setting> find(String word) {
    if (word.endsWith(".yaml") || word.endsWith(".yml")) {
      return List.of(read(Path.of(word)));
    }
    if (NAMES.contains(word)) {
      return List.of(builtIn(word));
    }
    String pattern =
        Stream.of(word.split("\\*", -1))
            .map(part -> part.isEmpty() ? "" : Pattern.quote(part))
            .reduce((a, b) -> a + ".*" + b)
            .orElse("");
    List<Setting> found =
        word.contains("*")
            ? all().stream().filter(setting -> setting.name().matches(pattern)).toList()
            : all().stream()
                .filter(setting -> setting.paper().equals(Optional.of(word)))
                .limit(1)
                .toList();
    if (found.isEmpty()) {
      throw new DataException(unknown(word));
    }
    return found;
  }

  private static String unknown(String word) {
    String nearest =
        Suggestions.nearest(word, NAMES).map(name -> "; did you mean '" + name + "'?").orElse(".");
    return "Unknown setting '%s'%s Expected the name of a built-in setting or the path of a .yaml file."
        .formatted(word, nearest);
  }

  /** Reads a custom setting, which is named after its file. */
  public static Setting read(Path file) {
    try {
      String name = file.getFileName().toString().replaceFirst("\\.ya?ml$", "");
      Path folder = file.toAbsolutePath().getParent();
      return SettingReader.read(name, file.toString(), folder, Files.readString(file));
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
  }

  /** Reads the copy that is stored with results; its data need not exist any more. */
  public static Setting readStored(String name, Path file) {
    try {
      return SettingReader.read(name, file.toString(), null, Files.readString(file));
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
  }

  private static Setting builtIn(String name) {
    return SettingReader.read(name, name + ".yaml", null, resource(name + ".yaml"));
  }

  private static String resource(String name) {
    try (InputStream in = Settings.class.getResourceAsStream(FOLDER + name)) {
      if (in == null) {
        throw new IllegalStateException("Missing resource " + name + ".");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
