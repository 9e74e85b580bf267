package org.alfamix.studio.web;

import io.javalin.http.Context;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;

/**
 * Access control. On the loopback address, everybody on the machine has access; on other addresses,
 * requests need a token, which the server prints at startup. Pages of other sites can neither read
 * nor change anything: changes need a header that such pages cannot send, the server answers only
 * to its own host names, and the content security policy allows only the server's own scripts.
 */
final class Guard {
  /** The header that every changing request must carry, with any value. */
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

  /** A rejected request, with a status and a reason. */
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
   * @param address the address that the server listens on
   */
  Guard(String address) {
    this.loopback = LOOPBACK.contains(address);
    byte[] random = new byte[16];
    new SecureRandom().nextBytes(random);
    this.token = loopback ? "" : HexFormat.of().formatHex(random);
  }

  /** Returns the token that requests need; empty if they need none. */
  String token() {
    return token;
  }

  void check(Context context) {
    context.header("Content-Security-Policy", POLICY);
    context.header("X-Content-Type-Options", "nosniff");
    context.header("Referrer-Policy", "no-referrer");
    context.header("Cross-Origin-Resource-Policy", "same-origin");
    if (loopback && !LOOPBACK.contains(host(context))) {
      // Rejects foreign host names that resolve to this machine (DNS rebinding).
      throw new Refused(403, Texts.ENGLISH.get("problem.host"));
    }
    if ("cross-site".equals(context.header("Sec-Fetch-Site"))
        && !"navigate".equals(context.header("Sec-Fetch-Mode"))) {
      throw new Refused(403, Texts.ENGLISH.get("problem.other-site"));
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
      throw new Refused(401, Texts.ENGLISH.get("problem.token"));
    }
    if (inQuery != null) {
      context.header("Set-Cookie", COOKIE + "=" + token + "; Path=/; HttpOnly; SameSite=Strict");
    }
  }

  /** Compares in constant time. */
  private boolean same(String shown) {
    return MessageDigest.isEqual(
        shown.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
  }

  private static void requireOwnPage(Context context) {
    if (context.header(HEADER) == null) {
      throw new Refused(403, Texts.ENGLISH.get("problem.header", HEADER));
    }
    String origin = context.header("Origin");
    if (origin != null && !isSameOrigin(origin, context.header("Host"))) {
      throw new Refused(403, Texts.ENGLISH.get("problem.other-site"));
    }
  }

  private static boolean isSameOrigin(String origin, String host) {
    try {
      return host != null && host.equals(URI.create(origin).getAuthority());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
