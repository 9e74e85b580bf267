package org.alfamix.studio.browser;

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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.alfamix.io.table.JsonTree;

/** A headless Chromium with one page, by the DevTools protocol. */
final class Browser implements AutoCloseable {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");
  private static final int PATIENCE_SECONDS = 30;

  private final Process process;
  private final WebSocket socket;
  private final AtomicInteger ids = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonTree>> waiting = new ConcurrentHashMap<>();

  /** Where Chromium is; empty where there is none. */
  static Optional<Path> installed() {
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

  Browser(Path profile) throws Exception {
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
      if (i > PATIENCE_SECONDS * 20 || !process.isAlive()) {
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
        JsonTree.parse(Path.of("devtools"), "pages", pages).list().stream()
            .filter(page -> page.get("type").text().equals("page"))
            .findFirst()
            .orElseThrow()
            .get("webSocketDebuggerUrl")
            .text();
    socket = client.newWebSocketBuilder().buildAsync(URI.create(address), new Listener()).get();
    call("Page.enable", json -> {});
    call("Runtime.enable", json -> {});
  }

  /** Collects what comes in pieces and hands it to whoever waits. */
  private final class Listener implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        JsonTree message = JsonTree.parse(Path.of("devtools"), "message", text.toString());
        text.setLength(0);
        if (message.has("id")) {
          waiting.remove(message.get("id").integer()).complete(message);
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
    JsonTree message = answer.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
    if (message.has("error")) {
      throw new IllegalStateException(method + ": " + message.get("error").get("message").text());
    }
    return message.get("result");
  }

  /** Pretends to be a screen of this size. */
  void resize(int width, int height, boolean phone) {
    call(
        "Emulation.setDeviceMetricsOverride",
        json -> {
          json.writeNumberField("width", width);
          json.writeNumberField("height", height);
          json.writeNumberField("deviceScaleFactor", 1);
          json.writeBooleanField("mobile", phone);
        });
  }

  /** Prefers dark pages, or light ones. */
  void dark(boolean dark) {
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

  /** Goes to a page and waits until it is there. */
  void open(String address) {
    evaluate("window.leaving = true");
    call("Page.navigate", json -> json.writeStringField("url", address));
    await("!window.leaving && document.readyState === 'complete' && !!window.htmx");
  }

  /** The value of an expression, as text. */
  String evaluate(String expression) {
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

  /** Waits until something holds. */
  void await(String expression) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!isTrue(expression)) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError(
            "'%s' does not come true on: %s"
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
      return false; // between two pages
    }
  }

  /** Presses a key, as {@code a}, {@code Enter} or {@code Backspace}. */
  void press(String key) {
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

  /** Writes what is seen into a PNG file. */
  void picture(Path file) {
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
