package org.alfamix.lab.setting;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.alfamix.learn.TrainingOptions;

/** Writes a setting as YAML that {@link SettingReader} reads. */
final class SettingWriter {
  private final StringBuilder text = new StringBuilder();

  private SettingWriter() {}

  static String yaml(Setting setting) {
    SettingWriter writer = new SettingWriter();
    writer.write(setting);
    return writer.text.toString();
  }

  private void write(Setting setting) {
    line("title", quoted(setting.title()));
    optional("paper", setting.paper().map(SettingWriter::quoted));
    optional("stands-in-for", setting.standsInFor().map(SettingWriter::quoted));
    optional("note", setting.note().map(SettingWriter::quoted));
    DataSpec data = setting.data();
    line("data", quoted(data.name()));
    data.reading().forEach((key, value) -> line(key, quoted(value)));
    line("standardize", data.standardize());
    if (!data.classes().isEmpty()) {
      line("classes", list(data.classes()));
    }
    if (data.pool() > 0) {
      line("pool", data.pool());
    }
    ModelSpec model = setting.model();
    line("network", quoted(model.network()));
    line("start", model.start());
    optional("checkpoint", model.checkpoint().map(SettingWriter::quoted));
    if (model.start() == ModelSpec.Start.PRE_TRAINED) {
      line("tuning", model.tuning());
    }
    write(model.training());
    Schedule schedule = setting.schedule();
    line(schedule.perClass() ? "initial-per-class" : "initial", schedule.initial());
    line("budget", schedule.budgets());
    line("seeds", setting.seeds());
    line("first-seed", setting.firstSeed());
    line("latent", setting.latentItems());
    if (!setting.groups().isEmpty()) {
      text.append("groups:\n");
      for (String factor : Setting.FACTORS) {
        optional(
            "  " + factor,
            Optional.ofNullable(setting.groups().get(factor)).map(SettingWriter::quoted));
      }
    }
    if (!setting.methods().isEmpty()) {
      text.append("strategies:\n");
      setting.methods().forEach(this::write);
    }
  }

  private void write(ModelSpec.Training training) {
    text.append("training:\n");
    line("  optimizer", training.optimizer());
    optional("  rate", training.rate());
    optional("  batch", training.batch());
    optional("  goal", training.goal().map(TrainingOptions::goalText));
    optional("  epochs", training.epochs());
    optional("  dropout", training.dropout());
    optional("  warm-up-epochs", training.warmUp());
    optional("  final-rate", training.finalRate());
    optional("  weight-decay", training.weightDecay());
    optional("  augment", training.augmentation().map(how -> quoted(how.toString())));
  }

  private void write(Method method) {
    line("  - name", quoted(method.label()));
    line("    strategy", quoted(method.strategy()));
    if (!method.options().isEmpty()) {
      text.append("    options:\n");
      for (Map.Entry<String, String> option : method.options().entrySet()) {
        line("      " + option.getKey(), quoted(option.getValue()));
      }
    }
  }

  private void optional(String key, Optional<?> value) {
    value.ifPresent(present -> line(key, present));
  }

  private void line(String key, Object value) {
    text.append(key).append(": ").append(value).append('\n');
  }

  private static String list(List<String> words) {
    return words.stream().map(SettingWriter::quoted).collect(Collectors.joining(", ", "[", "]"));
  }

  /** Quotes a text with double quotes; a backslash escapes quotes and backslashes in it. */
  private static String quoted(String word) {
    StringBuilder quoted = new StringBuilder("\"");
    word.codePoints()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                quoted.append('\\').appendCodePoint(c);
              } else if (Character.isISOControl(c)
                  || Character.getType(c) == Character.LINE_SEPARATOR) {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", c));
              } else {
                quoted.appendCodePoint(c);
              }
            });
    return quoted.append('"').toString();
  }
}
