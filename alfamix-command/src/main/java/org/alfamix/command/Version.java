package org.alfamix.command;

import org.alfamix.math.Kernels;
import org.alfamix.math.Parallel;
import picocli.CommandLine.IVersionProvider;

/** Reports the versions of alfamix and Java, the kernels and the number of threads. */
public final class Version implements IVersionProvider {

  /** Returns the version in the jar's manifest. */
  public static String number() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "(unpackaged)" : version;
  }

  @Override
  public String[] getVersion() {
    return new String[] {
      "alfamix " + number(),
      "Java %s, %s %s, kernels %s, %d threads"
          .formatted(
              System.getProperty("java.version"),
              System.getProperty("os.name"),
              System.getProperty("os.arch"),
              Kernels.description(),
              Parallel.threads())
    };
  }
}
