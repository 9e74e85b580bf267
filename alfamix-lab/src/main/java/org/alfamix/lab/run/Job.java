package org.alfamix.lab.run;

import java.nio.file.Path;
import org.alfamix.lab.setting.Method;
import org.alfamix.lab.setting.Setting;

/** One run: a method in a setting with a seed. */
public record Job(Setting setting, Method method, long seed) {

  /** Returns the file of the run. */
  public Path file(Path results) {
    return results
        .resolve(setting.name())
        .resolve("%s-seed-%d.jsonl".formatted(method.fileName(), seed));
  }

  @Override
  public String toString() {
    return "%s, %s, seed %d".formatted(setting.name(), method.label(), seed);
  }
}
