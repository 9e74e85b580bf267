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

/** The settings that come with alfamix, and those of one's own. */
public final class Settings {
  private static final String FOLDER = "/org/alfamix/lab/setting/";

  /** All names, in the order in which people will want to see them. */
  private static final List<String> NAMES = resource("index.txt").lines().toList();

  private Settings() {}

  /** Returns the names of all settings that come with alfamix, in the order of the list. */
  public static List<String> names() {
    return NAMES;
  }

  /** Those that come with alfamix: the paper's, its ablations and figures, and some small ones. */
  public static List<Setting> all() {
    return NAMES.stream().map(Settings::shipped).toList();
  }

  /**
   * The settings that a word means: a name, a number of the paper, a pattern with stars, or a file
   * that ends in .yaml. A number means the first of the list: the one with the publisher's data.
   *
   * @throws DataException where there are none
   */
  public static List<Setting> find(String word) {
    if (word.endsWith(".yaml") || word.endsWith(".yml")) {
      return List.of(read(Path.of(word)));
    }
    if (NAMES.contains(word)) {
      return List.of(shipped(word));
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
    return ("There is no setting '%s'%s 'alfamix lab settings' lists them; a setting of your own is"
            + " a file that ends in .yaml.")
        .formatted(word, nearest);
  }

  /** Reads a setting of one's own; its name is the file's. */
  public static Setting read(Path file) {
    try {
      String name = file.getFileName().toString().replaceFirst("\\.ya?ml$", "");
      Path folder = file.toAbsolutePath().getParent();
      return SettingReader.read(name, file.toString(), folder, Files.readString(file));
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
  }

  /** Reads the copy that was kept with results; its data need not be there any more. */
  public static Setting readKept(String name, Path file) {
    try {
      return SettingReader.read(name, file.toString(), null, Files.readString(file));
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
  }

  private static Setting shipped(String name) {
    return SettingReader.read(name, name + ".yaml", null, resource(name + ".yaml"));
  }

  private static String resource(String name) {
    try (InputStream in = Settings.class.getResourceAsStream(FOLDER + name)) {
      if (in == null) {
        throw new IllegalStateException("There is no resource " + name + ".");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
