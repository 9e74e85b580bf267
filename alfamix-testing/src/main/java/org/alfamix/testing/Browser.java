package org.alfamix.testing;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.alfamix.io.table.JsonTree;

/** A headless Chromium with one page, controlled by the DevTools protocol. */
public final class Browser implements AutoCloseable {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");
  private static final int TIMEOUT_SECONDS = 30;

  private final Process process;
  private final WebSocket socket;
  private final List<String> problems = new CopyOnWriteArrayList<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final AtomicInteger ids = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonTree>> waiting = new ConcurrentHashMap<>();

  /** Returns the path of Chromium; empty if it is not installed. */
  public static Optional<Path> installed() {
    for (String folder : System.getenv("PATH").split(":")) {
      for (String name : NAMES) {
        Path file = Path.of(folder, name);
        if (Files.isExecutable(file)) {
          return Optional.of(file);
        }
      }
    }
    return Optional.empty();
  }

  public Browser(Path profile) throws Exception {
    process =
        new ProcessBuilder(
                installed().orElseThrow().toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--hide-scrollbars",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(profile.resolve("chromium.log").toFile())
            .start();
    Path active = profile.resolve("DevToolsActivePort");
    for (int i = 0; !Files.exists(active) || Files.readAllLines(active).isEmpty(); i++) {
      if (i > TIMEOUT_SECONDS * 20 || !process.isAlive()) {
        throw new IllegalStateException(
            "Chromium did not start: " + Files.readString(profile.resolve("chromium.log")));
      }
      Thread.sleep(50);
    }
    HttpClient client = HttpClient.newHttpClient();
    String pages =
        client
            .send(
                HttpRequest.newBuilder(
                        URI.create(
                            "http://127.0.0.1:" + Files.readAllLines(active).get(0) + "/json"))
                    .build(),
                BodyHandlers.ofString())
            .body();
    String address =
        JsonTree.parse("devtools", pages).list().stream()
            .filter(page -> page.get("type").text().equals("page"))
            .findFirst()
            .orElseThrow()
            .get("webSocketDebuggerUrl")
            .text();
    socket = client.newWebSocketBuilder().buildAsync(URI.create(address), new Listener()).get();
    for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
      call(domain + ".enable", json -> {});
    }
  }

  private void record(String event, String message) {
    boolean error =
        switch (event) {
          case "Runtime.exceptionThrown" -> true;
          case "Log.entryAdded" -> message.contains("\"level\":\"error\"");
          case "Runtime.consoleAPICalled" -> message.contains("\"type\":\"error\"");
          default -> false;
        };
    if (error) {
      problems.add(message);
    } else if (event.equals("Network.requestWillBeSent")) {
      requests.add(message);
    }
  }

  /** Returns the console errors so far. */
  public List<String> problems() {
    return List.copyOf(problems);
  }

  /** Returns the network requests so far. */
  public List<String> requests() {
    return List.copyOf(requests);
  }

  /** Joins the parts of a message and passes it to the waiting caller. */
  private final class Listener implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        String whole = text.toString();
        text.setLength(0);
        JsonTree message = JsonTree.parse("devtools", whole);
        if (message.has("id")) {
          waiting.remove(message.get("id").integer()).complete(message);
        } else {
          record(message.get("method").text(), whole);
        }
      }
      from.request(1);
      return null;
    }
  }

  /** Writes the parameters of a call. */
  interface Parameters {
    void write(JsonGenerator json) throws IOException;
  }

  private JsonTree call(String method, Parameters parameters) {
    int id = ids.incrementAndGet();
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartObject();
      json.writeNumberField("id", id);
      json.writeStringField("method", method);
      json.writeObjectFieldStart("params");
      parameters.write(json);
      json.writeEndObject();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    CompletableFuture<JsonTree> answer = new CompletableFuture<>();
    waiting.put(id, answer);
    socket.sendText(text.toString(), true).join();
    JsonTree message = answer.orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS).join();
    if (message.has("error")) {
      throw new IllegalStateException(method + ": " + message.get("error").get("message").text());
    }
    return message.get("result");
  }

  /** Emulates a screen of a given size. */
  public void resize(int width, int height, boolean phone) {
    call(
        "Emulation.setDeviceMetricsOverride",
        json -> {
          json.writeNumberField("width", width);
          json.writeNumberField("height", height);
          json.writeNumberField("deviceScaleFactor", 1);
          json.writeBooleanField("mobile", phone);
        });
  }

  /** Emulates the preference for dark or light mode. */
  public void setDarkMode(boolean dark) {
    call(
        "Emulation.setEmulatedMedia",
        json -> {
          json.writeArrayFieldStart("features");
          json.writeStartObject();
          json.writeStringField("name", "prefers-color-scheme");
          json.writeStringField("value", dark ? "dark" : "light");
          json.writeEndObject();
          json.writeEndArray();
        });
  }

  /** Opens a page and waits until it is loaded. */
  public void open(String address) {
    evaluate("window.leaving = true");
    call("Page.navigate", json -> json.writeStringField("url", address));
    await("!window.leaving && document.readyState === 'complete'");
  }

  /** Returns the value of an expression, as text. */
  public String evaluate(String expression) {
    JsonTree result =
        call(
            "Runtime.evaluate",
            json -> {
              json.writeStringField("expression", "String(" + expression + ")");
              json.writeBooleanField("returnByValue", true);
              json.writeBooleanField("awaitPromise", true);
            });
    if (result.has("exceptionDetails")) {
      throw new IllegalStateException(
          expression + ": " + result.get("exceptionDetails").get("text").text());
    }
    return result.get("result").get("value").text();
  }

  /** Waits until an expression is true. */
  public void await(String expression) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
    while (!isTrue(expression)) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError(
            "Timed out waiting for '%s' on: %s"
                .formatted(expression, evaluate("document.body.innerText")));
      }
      try {
        Thread.sleep(20);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private boolean isTrue(String expression) {
    try {
      return evaluate("!!(" + expression + ")").equals("true");
    } catch (IllegalStateException e) {
      return false; // a page is still loading
    }
  }

  /** Presses a key, such as {@code a}, {@code Enter} or {@code Backspace}. */
  public void press(String key) {
    for (String type : List.of("keyDown", "keyUp")) {
      call(
          "Input.dispatchKeyEvent",
          json -> {
            json.writeStringField("type", type);
            json.writeStringField("key", key);
            if (type.equals("keyDown") && (key.length() == 1 || key.equals("Enter"))) {
              json.writeStringField("text", key.equals("Enter") ? "\r" : key);
            }
          });
    }
  }

  /** Saves a screenshot as a PNG file. */
  public void saveScreenshot(Path file) {
    JsonTree result =
        call("Page.captureScreenshot", json -> json.writeStringField("format", "png"));
    try {
      Files.createDirectories(file.getParent());
      Files.write(file, Base64.getDecoder().decode(result.get("data").text()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    socket.abort();
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
    try {
      process.waitFor(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
