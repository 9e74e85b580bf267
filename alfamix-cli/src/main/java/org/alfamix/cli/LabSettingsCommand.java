package org.alfamix.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.alfamix.command.DataFolder;
import org.alfamix.command.ExitCode;
import org.alfamix.command.Shell;
import org.alfamix.command.SourceModules;
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
      "List the built-in settings and whether they can be run on this machine; or print one, as a"
          + " template for your own.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    footer = {
      "",
      "To create your own setting, save a built-in one as a .yaml file and edit it:",
      "  alfamix lab settings digits-mlp > mine.yaml"
    })
final class LabSettingsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "SETTING",
      description = "Print this setting: a name, a number of the paper, a pattern or a file.")
  private String name;

  @Mixin private DataFolder folder;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    if (name != null) {
      Settings.find(name).forEach(setting -> out.print(setting.yaml()));
      out.flush();
      return ExitCode.SUCCESS;
    }
    List<Setting> all = Settings.all();
    Optional<LearnerEngine> engine = engine();
    boolean onDemand = SourceModules.isSourceTree();
    int labels = all.stream().mapToInt(each -> each.schedule().toString().length()).max().orElse(0);
    String row = "%-4s %-30s %-" + labels + "s  %s%n";
    out.printf(row, "no.", "name", "labels", "availability");
    int ready = 0;
    int published = 0;
    for (Setting setting : all) {
      Availability availability = Availability.of(setting, engine, onDemand, folder.path());
      ready += availability.isReadyWithoutPublishers() ? 1 : 0;
      published += availability.isReady() && !availability.isReadyWithoutPublishers() ? 1 : 0;
      String number =
          setting.paper().or(() -> setting.standsInFor().map(n -> "(" + n + ")")).orElse("");
      out.printf(row, number, setting.name(), setting.schedule(), availability);
    }
    out.printf(
        Locale.ROOT,
        "%nReady: %d of %d settings, with data from this machine or from package"
            + " registries.%nAnother %d need data or weights from a publisher's site, which 'lab"
            + " run' tries to download.%nA number in brackets: the setting stands in for this"
            + " setting of the paper, with other data.%n%n  %4$s lab settings NAME   print a"
            + " setting%n  %4$s lab run NAME        run a setting%n",
        ready,
        all.size(),
        published,
        Shell.alfamix());
    out.flush();
    return ExitCode.SUCCESS;
  }

  /**
   * Returns the engine of networks; empty if it is not on the class path. The list works without
   * it.
   */
  private static Optional<LearnerEngine> engine() {
    try {
      return Optional.of(LearnerEngine.find());
    } catch (DataException e) {
      return Optional.empty();
    }
  }
}
