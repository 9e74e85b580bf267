package org.alfamix.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.alfamix.command.DataFolder;
import org.alfamix.command.ExitCode;
import org.alfamix.command.Version;
import org.alfamix.io.DataException;
import org.alfamix.lab.setting.Availability;
import org.alfamix.lab.setting.Setting;
import org.alfamix.lab.setting.Settings;
import org.alfamix.learn.LearnerEngine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists settings. */
@Command(
    name = "settings",
    description = {
      "List the settings that come with alfamix, and whether they can be run on this machine; or"
          + " show one, as a file to start your own from.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    footer = {
      "",
      "A setting of your own is such a file with a name that ends in .yaml:",
      "  alfamix lab settings digits-mlp > mine.yaml"
    })
final class LabSettingsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "SETTING",
      description = "A name, a number of the paper, or a file: print it.")
  private String shown;

  @Mixin private DataFolder folder;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    if (shown != null) {
      Settings.find(shown).forEach(setting -> out.print(setting.yaml()));
      out.flush();
      return ExitCode.DONE;
    }
    List<Setting> all = Settings.all();
    Optional<LearnerEngine> engine = engine();
    int labels = all.stream().mapToInt(each -> each.schedule().toString().length()).max().orElse(0);
    String row = "%-4s %-30s %-" + labels + "s  %s%n";
    out.printf(row, "no.", "name", "labels", "on this machine");
    int ready = 0;
    int published = 0;
    for (Setting setting : all) {
      Availability availability = Availability.of(setting, engine, folder.path());
      ready += availability.isReadyWithoutPublishers() ? 1 : 0;
      published += availability.isReady() && !availability.isReadyWithoutPublishers() ? 1 : 0;
      String number =
          setting.paper().or(() -> setting.standsInFor().map(n -> "(" + n + ")")).orElse("");
      out.printf(row, number, setting.name(), setting.schedule(), availability);
    }
    out.printf(
        Locale.ROOT,
        "%n%d of %d can be run here, with data and weights that are here or in package registries."
            + " %d more need data or weights from a publisher's site; 'lab run' tries to download"
            + " them. 'not yet' names what is missing. A number in brackets: in place of that"
            + " setting of the paper, with other data. 'alfamix lab settings NAME' prints one;"
            + " 'alfamix lab run NAME' runs it.%n",
        ready,
        all.size(),
        published);
    out.flush();
    return ExitCode.DONE;
  }

  /** The list is of use without networks, too. */
  private static Optional<LearnerEngine> engine() {
    try {
      return Optional.of(LearnerEngine.find());
    } catch (DataException e) {
      return Optional.empty();
    }
  }
}
