package org.alfamix.lab.report;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.alfamix.io.table.JsonTree;

/** Chromium without a window, steered by its DevTools protocol. */
final class Browser implements AutoCloseable {
  private final Process process;
  private final WebSocket socket;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private final List<String> problems = Collections.synchronizedList(new ArrayList<>());
  private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
  private int calls;

  /** Where Debian and others put it. */
  static Optional<Path> find() {
    return Stream.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
        .map(Path::of)
        .filter(Files::isExecutable)
        .findFirst();
  }

  Browser(Path program, Path profile) throws Exception {
    process =
        new ProcessBuilder(
                program.toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectErrorStream(true)
            .start();
    String address = listening(process.inputReader());
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest list =
        HttpRequest.newBuilder(
                URI.create(
                    address.replaceFirst("ws:", "http:").replaceFirst("/devtools.*", "/json/list")))
            .build();
    String page = page(client, list);
    socket = client.newWebSocketBuilder().buildAsync(URI.create(page), new Ears()).get();
    for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
      call(domain + ".enable", "{}");
    }
  }

  private static String listening(BufferedReader output) throws IOException {
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith("DevTools listening on ")) {
        Thread rest = new Thread(() -> output.lines().forEach(more -> {}));
        rest.setDaemon(true);
        rest.start();
        return line.substring("DevTools listening on ".length()).strip();
      }
    }
    throw new IOException("Chromium did not start");
  }

  private static String page(HttpClient client, HttpRequest list) throws Exception {
    for (int i = 0; i < 50; i++) {
      String text = client.send(list, HttpResponse.BodyHandlers.ofString()).body();
      for (JsonTree target : JsonTree.parse(Path.of("targets"), "all", text).list()) {
        if (target.get("type").text().equals("page")) {
          return target.get("webSocketDebuggerUrl").text();
        }
      }
      Thread.sleep(100);
    }
    throw new IOException("Chromium has no page");
  }

  /** What it hears of the page. */
  private final class Ears implements WebSocket.Listener {
    private final StringBuilder message = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      message.append(data);
      if (last) {
        String text = message.toString();
        message.setLength(0);
        if (text.startsWith("{\"id\":")) {
          answers.add(text);
        } else if (text.contains("\"Runtime.exceptionThrown\"")
            || text.contains("\"Log.entryAdded\"") && text.contains("\"level\":\"error\"")
            || text.contains("\"Runtime.consoleAPICalled\"")
                && text.contains("\"type\":\"error\"")) {
          problems.add(text);
        } else if (text.contains("\"Network.requestWillBeSent\"")) {
          requests.add(text);
        }
      }
      from.request(1);
      return null;
    }
  }

  /** Calls a method of the protocol; its answer. */
  JsonTree call(String method, String parameters) throws Exception {
    int id = ++calls;
    socket
        .sendText(
            "{\"id\":%d,\"method\":\"%s\",\"params\":%s}".formatted(id, method, parameters), true)
        .get();
    while (true) {
      String answer = answers.poll(60, TimeUnit.SECONDS);
      if (answer == null) {
        throw new IOException("No answer to " + method);
      }
      if (answer.startsWith("{\"id\":" + id + ",")) {
        return JsonTree.parse(Path.of(method), "answer", answer).get("result");
      }
    }
  }

  /** Opens a page and waits until it is there. */
  void open(URI page) throws Exception {
    call("Page.navigate", "{\"url\":\"" + page + "\"}");
    for (int i = 0; i < 300 && !evaluate("document.readyState").equals("complete"); i++) {
      Thread.sleep(50);
    }
  }

  void size(int width, int height) throws Exception {
    call(
        "Emulation.setDeviceMetricsOverride",
        "{\"width\":%d,\"height\":%d,\"deviceScaleFactor\":1,\"mobile\":false}"
            .formatted(width, height));
  }

  void scheme(String scheme) throws Exception {
    call(
        "Emulation.setEmulatedMedia",
        "{\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"%s\"}]}".formatted(scheme));
  }

  /** The value of an expression, as a text. */
  String evaluate(String expression) throws Exception {
    String quoted = expression.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    JsonTree result =
        call(
            "Runtime.evaluate",
            "{\"expression\":\"String(%s)\",\"returnByValue\":true}".formatted(quoted));
    if (result.has("exceptionDetails")) {
      throw new IOException(expression + " failed");
    }
    return result.get("result").get("value").text();
  }

  List<String> problems() {
    return List.copyOf(problems);
  }

  List<String> requests() {
    return List.copyOf(requests);
  }

  @Override
  public void close() throws InterruptedException {
    socket.abort();
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().waitFor();
  }
}
