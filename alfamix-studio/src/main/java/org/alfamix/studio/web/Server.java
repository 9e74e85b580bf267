package org.alfamix.studio.web;

import io.javalin.Javalin;
import io.javalin.config.RoutesConfig;
import io.javalin.config.SizeUnit;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import io.javalin.router.EndpointNotFound;
import java.util.Map;
import org.alfamix.error.InvalidDataException;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.alfamix.studio.Studio;
import org.alfamix.studio.store.StoreException;
import org.eclipse.jetty.http.BadMessageException;
import org.eclipse.jetty.io.EofException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTP server. */
public final class Server implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Server.class);
  private static final long MAX_BYTES = 8 << 20;
  private static final Texts TEXTS = Texts.ENGLISH;

  private final Javalin javalin;
  private final Guard guard;

  /**
   * Starts the server.
   *
   * @param address the address to listen on, such as 127.0.0.1
   * @param port the port, or 0 for any free one
   */
  public Server(Studio studio, String address, int port) {
    this.guard = new Guard(address);
    this.javalin =
        Javalin.create(
            config -> {
              config.startup.showJavalinBanner = false;
              config.http.maxRequestSize = MAX_BYTES;
              config.jetty.multipartConfig.maxFileSize(MAX_BYTES, SizeUnit.BYTES);
              config.jetty.multipartConfig.maxTotalRequestSize(2 * MAX_BYTES, SizeUnit.BYTES);
              config.jetty.host = address;
              config.jetty.port = port;
              config.routes.before(guard::check);
              new Api(studio).register(config.routes);
              new IndexPage(studio, TEXTS).register(config.routes);
              new LabelPage(studio, TEXTS).register(config.routes);
              new ItemPages(studio, TEXTS).register(config.routes);
              new DashboardPage(studio, TEXTS).register(config.routes);
              Layout.register(config.routes);
              errors(config.routes);
            });
    javalin.start();
  }

  /** Returns the port. */
  public int port() {
    return javalin.port();
  }

  /** Returns the token that requests need; empty if they need none. */
  public String token() {
    return guard.token();
  }

  private static void errors(RoutesConfig routes) {
    routes.exception(Guard.Refused.class, (e, context) -> respondWithError(context, e.status(), e));
    routes.exception(
        StoreException.class,
        (e, context) -> {
          if (e.kind() == StoreException.Kind.UNREADABLE) {
            LOG.warn("{} {}: {}", context.method(), context.path(), e.getMessage());
          }
          respondWithError(context, e.kind() == StoreException.Kind.NOT_FOUND ? 404 : 409, e);
        });
    routes.exception(
        InvalidRequestException.class, (e, context) -> respondWithError(context, 400, e));
    routes.exception(InvalidDataException.class, (e, context) -> respondWithError(context, 400, e));
    routes.exception(DataException.class, (e, context) -> respondWithError(context, 400, e));
    routes.exception(
        HttpResponseException.class, (e, context) -> respondWithError(context, e.getStatus(), e));
    routes.exception(
        Exception.class,
        (e, context) -> {
          if (isGone(e)) {
            return;
          }
          if (isBrokenUpload(e)) {
            respondWithError(
                context,
                413,
                new InvalidRequestException(TEXTS.get("problem.upload", MAX_BYTES >> 20)));
            return;
          }
          LOG.error("{} {} failed.", context.method(), context.path(), e);
          respondWithError(context, 500, new IllegalStateException(TEXTS.get("problem.internal")));
        });
  }

  /** Jetty reports this among the causes. */
  private static boolean isBrokenUpload(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof BadMessageException) {
        return true;
      }
    }
    return false;
  }

  /** The client has disconnected. */
  private static boolean isGone(Throwable e) {
    return e instanceof EofException || e.getCause() instanceof EofException;
  }

  private static String reason(Exception e) {
    if (e instanceof EndpointNotFound) {
      return TEXTS.get("problem.missing-page");
    }
    return e.getMessage() == null ? TEXTS.get("problem.unknown") : e.getMessage();
  }

  private static void respondWithError(Context context, int status, Exception e) {
    context.status(status);
    boolean page =
        !context.path().startsWith("/api/")
            && context.header("HX-Request") == null
            && context.method() == HandlerType.GET;
    String why = reason(e);
    if (page) {
      Frame frame = Layout.frame(context, TEXTS.get("title.problem"));
      Pages.render(context, "problem.jte", Map.of("frame", frame, "reason", why));
    } else {
      JsonAnswer.answer(context, new ApiAnswers.Failure(why));
    }
  }

  @Override
  public void close() {
    javalin.stop();
  }
}
