package org.alfamix.studio.command;

import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.alfamix.dataset.DataSets;
import org.alfamix.studio.Studio;
import org.alfamix.studio.engine.ProjectOptions;
import org.alfamix.studio.source.SourceSpec;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a project. */
@Command(name = "new", description = "Make a project.", mixinStandardHelpOptions = true)
final class NewCommand implements Callable<Integer> {
  @Parameters(paramLabel = "NAME", description = "What the project is called.")
  private String name;

  @ArgGroup(multiplicity = "1")
  private Source source;

  @Option(names = "--classes", split = ",", paramLabel = "CLASS", description = "The classes.")
  private List<String> classes;

  @Option(
      names = "--home",
      paramLabel = "FOLDER",
      description = "Where projects are kept.",
      defaultValue = "${sys:user.home}/.alfamix/studio")
  private Path home;

  /** Where items come from. */
  static final class Source {
    @Option(names = "--images", paramLabel = "FOLDER", description = "Pictures.")
    private Path images;

    @Option(names = "--table", paramLabel = "FILE", description = "Rows of a table.")
    private Path table;

    @Option(names = "--data", paramLabel = "NAME", description = "A data set that has a name.")
    private String data;

    SourceSpec spec() {
      if (images != null) {
        return new SourceSpec(SourceSpec.Kind.IMAGES, images.toAbsolutePath().toString(), "", "");
      }
      return table != null
          ? new SourceSpec(SourceSpec.Kind.TABLE, table.toAbsolutePath().toString(), "", "")
          : new SourceSpec(SourceSpec.Kind.DATA, data, "", "");
    }
  }

  @Override
  public Integer call() {
    List<String> names = classes;
    if (names == null && source.data != null) {
      names = DataSets.open(source.data, home.resolve("data")).classNames();
    }
    if (names == null) {
      names = IntStream.empty().mapToObj(String::valueOf).toList();
    }
    try (Studio studio = new Studio(home, home.resolve("data"), Clock.systemUTC())) {
      studio
          .create(name, source.spec(), ProjectOptions.DEFAULT, names)
          .forEach(each -> System.err.println("alfamix: left out: " + each));
      System.out.printf(
          "Made %s with %d items; now try: alfamix studio serve%n",
          name, studio.store().items(studio.project(name).id()));
    }
    return 0;
  }
}
