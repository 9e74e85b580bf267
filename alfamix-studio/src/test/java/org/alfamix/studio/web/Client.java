package org.alfamix.studio.web;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.alfamix.io.table.JsonTree;

/** An HTTP client of the studio. */
final class Client {
  private final HttpClient client = HttpClient.newHttpClient();
  private final String address;

  Client(Server server) {
    this.address = "http://127.0.0.1:" + server.port();
  }

  /** Returns a request without the required header. */
  HttpRequest.Builder bare(String path) {
    return HttpRequest.newBuilder(URI.create(address + path));
  }

  HttpRequest.Builder request(String path) {
    return bare(path).header(Guard.HEADER, "test");
  }

  /** Returns a request that posts JSON, given with single quotes. */
  HttpRequest.Builder post(String path, String json) {
    return request(path).POST(BodyPublishers.ofString(json.replace('\'', '"')));
  }

  HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), BodyHandlers.ofString());
  }

  HttpResponse<byte[]> bytes(String path) throws Exception {
    return client.send(request(path).build(), BodyHandlers.ofByteArray());
  }

  int status(HttpRequest.Builder request) throws Exception {
    return send(request).statusCode();
  }

  String text(String path) throws Exception {
    HttpResponse<String> response = send(request(path));
    assertEquals(200, response.statusCode(), response.body());
    return response.body();
  }

  JsonTree ok(HttpRequest.Builder request) throws Exception {
    HttpResponse<String> response = send(request);
    assertEquals(200, response.statusCode(), response.body());
    return JsonTree.parse("answer", response.body());
  }

  /** Sends a request that must be rejected; returns the error message. */
  String refused(int status, HttpRequest.Builder request) throws Exception {
    HttpResponse<String> response = send(request);
    assertEquals(status, response.statusCode(), response.body());
    return JsonTree.parse("answer", response.body()).get("error").text();
  }
}
