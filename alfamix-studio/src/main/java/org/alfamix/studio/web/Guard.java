package org.alfamix.studio.web;

import io.javalin.http.Context;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;

/**
 * Who may come in. On the machine's own address everybody may who is on the machine; elsewhere a
 * token is asked for, which the server prints at its start. A page of another site can neither read
 * nor change anything: whatever changes something needs a header that such a page cannot send, the
 * server answers to its own names alone, and pages run no script but the server's own files.
 */
final class Guard {
  /** Whoever changes something sends this, with any value. */
  static final String HEADER = "X-Alfamix";

  private static final String COOKIE = "alfamix-token";
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src"
          + " 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors"
          + " 'none'";
  private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");
  private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]", "::1");

  private final boolean loopback;
  private final String token;

  /** Refused, with a status and a reason. */
  static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final int status;

    Refused(int status, String message) {
      super(message);
      this.status = status;
    }

    int status() {
      return status;
    }
  }

  /**
   * @param address what the server listens on
   */
  Guard(String address) {
    this.loopback = LOOPBACK.contains(address);
    byte[] random = new byte[16];
    new SecureRandom().nextBytes(random);
    this.token = loopback ? "" : HexFormat.of().formatHex(random);
  }

  /** What must be shown; empty where nothing must. */
  String token() {
    return token;
  }

  void check(Context context) {
    context.header("Content-Security-Policy", POLICY);
    context.header("X-Content-Type-Options", "nosniff");
    context.header("Referrer-Policy", "no-referrer");
    context.header("Cross-Origin-Resource-Policy", "same-origin");
    if (loopback && !LOOPBACK.contains(host(context))) {
      // A name that somebody else has pointed here.
      throw new Refused(403, "This server answers to 127.0.0.1 and localhost alone.");
    }
    if ("cross-site".equals(context.header("Sec-Fetch-Site"))
        && !"navigate".equals(context.header("Sec-Fetch-Mode"))) {
      throw new Refused(403, "This request comes from another site.");
    }
    if (!token.isEmpty()) {
      requireToken(context);
    }
    if (!SAFE.contains(context.method().name())) {
      requireOwnPage(context);
    }
  }

  private static String host(Context context) {
    String host = context.header("Host");
    return host == null ? "" : host.replaceFirst(":\\d+$", "");
  }

  private void requireToken(Context context) {
    String shown = context.cookie(COOKIE);
    String bearer = context.header("Authorization");
    String inQuery = context.queryParam("token");
    if (bearer != null && bearer.startsWith("Bearer ")) {
      shown = bearer.substring("Bearer ".length());
    } else if (inQuery != null) {
      shown = inQuery;
    }
    if (shown == null || !same(shown)) {
      throw new Refused(401, "A token is needed: open the address that the server has printed.");
    }
    if (inQuery != null) {
      context.header("Set-Cookie", COOKIE + "=" + token + "; Path=/; HttpOnly; SameSite=Strict");
    }
  }

  /** In a time that tells nothing. */
  private boolean same(String shown) {
    return MessageDigest.isEqual(
        shown.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
  }

  private static void requireOwnPage(Context context) {
    if (context.header(HEADER) == null) {
      throw new Refused(403, "The header %s is missing.".formatted(HEADER));
    }
    String origin = context.header("Origin");
    if (origin != null && !isOwn(origin, context.header("Host"))) {
      throw new Refused(403, "This request comes from another site.");
    }
  }

  private static boolean isOwn(String origin, String host) {
    try {
      return host != null && host.equals(URI.create(origin).getAuthority());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
