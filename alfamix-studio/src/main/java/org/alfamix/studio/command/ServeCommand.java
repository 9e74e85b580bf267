package org.alfamix.studio.command;

import java.net.BindException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.alfamix.command.Shell;
import org.alfamix.studio.Studio;
import org.alfamix.studio.web.Server;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Serves all projects. */
@Command(
    name = "serve",
    description = "Serve all projects until the process is stopped.",
    mixinStandardHelpOptions = true)
final class ServeCommand implements Callable<Integer> {
  private static final int MAX_PORT = 65_535;

  @Spec private CommandSpec spec;
  @Mixin private StudioFolder home;

  @Option(
      names = "--address",
      paramLabel = "ADDRESS",
      description =
          "The network address to listen on (default: ${DEFAULT-VALUE}, this machine only). On any"
              + " other address, requests need the token that is printed at startup.",
      defaultValue = "127.0.0.1")
  private String address;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "The port, 0 for any free one (default: ${DEFAULT-VALUE}).",
      defaultValue = "8080")
  private int port;

  @Override
  public Integer call() throws InterruptedException {
    try (Studio studio = home.open();
        Server server = listen(studio)) {
      String token = server.token().isEmpty() ? "" : "/?token=" + server.token();
      var out = spec.commandLine().getOut();
      out.printf("alfamix studio: http://%s:%d%s%n", host(), server.port(), token);
      if (studio.store().projects().all().isEmpty()) {
        out.printf(
            "There is no project yet. Create one: %s studio new demo --data digits%s%n",
            Shell.alfamix(), home.option());
      }
      out.flush();
      studio.resume();
      new CountDownLatch(1).await();
    }
    return 0;
  }

  /**
   * Returns the host name for browsers; the name of this machine if the server listens on all
   * addresses.
   */
  private String host() {
    if (address.equals("0.0.0.0") || address.equals("::")) {
      try {
        return InetAddress.getLocalHost().getHostName();
      } catch (UnknownHostException e) {
        return "localhost";
      }
    }
    return address.contains(":") ? "[" + address + "]" : address;
  }

  private Server listen(Studio studio) {
    if (port < 0 || port > MAX_PORT) {
      throw new ParameterException(
          spec.commandLine(), "--port is %d, expected 0 to %d.".formatted(port, MAX_PORT));
    }
    try {
      InetAddress.getByName(address);
    } catch (UnknownHostException e) {
      throw new ParameterException(
          spec.commandLine(),
          "--address is '%s', which is not an address of this machine.".formatted(address),
          e);
    }
    try {
      return new Server(studio, address, port);
    } catch (RuntimeException e) {
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (cause instanceof BindException) {
          throw new ParameterException(
              spec.commandLine(),
              "Cannot listen on %s:%d (%s); choose another --port."
                  .formatted(address, port, cause.getMessage()),
              e);
        }
      }
      throw e;
    }
  }
}
