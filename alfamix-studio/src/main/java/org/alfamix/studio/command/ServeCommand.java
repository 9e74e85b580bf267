package org.alfamix.studio.command;

import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.alfamix.studio.Studio;
import org.alfamix.studio.web.Server;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Serves all projects. */
@Command(name = "serve", description = "Serve all projects.", mixinStandardHelpOptions = true)
final class ServeCommand implements Callable<Integer> {
  @Option(
      names = "--home",
      paramLabel = "FOLDER",
      description = "Where projects are kept.",
      defaultValue = "${sys:user.home}/.alfamix/studio")
  private Path home;

  @Option(
      names = "--address",
      paramLabel = "ADDRESS",
      description = "What to listen on (default: ${DEFAULT-VALUE}).",
      defaultValue = "127.0.0.1")
  private String address;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Which port (default: ${DEFAULT-VALUE}).",
      defaultValue = "8080")
  private int port;

  @Override
  public Integer call() throws InterruptedException {
    try (Studio studio = new Studio(home, home.resolve("data"), Clock.systemUTC());
        Server server = new Server(studio, address, port)) {
      String token = server.token().isEmpty() ? "" : "/?token=" + server.token();
      System.out.printf(
          "alfamix studio: http://%s:%d%s   (Ctrl+C ends it)%n", address, server.port(), token);
      new CountDownLatch(1).await();
    }
    return 0;
  }
}
