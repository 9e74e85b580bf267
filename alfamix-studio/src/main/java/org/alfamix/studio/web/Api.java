package org.alfamix.studio.web;

import com.fasterxml.jackson.core.JsonGenerator;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.table.JsonTree;
import org.alfamix.studio.Studio;
import org.alfamix.studio.engine.ItemMap;
import org.alfamix.studio.engine.ProjectOptions;
import org.alfamix.studio.engine.Workshop;
import org.alfamix.studio.source.ItemSource;
import org.alfamix.studio.source.Shown;
import org.alfamix.studio.store.Change;
import org.alfamix.studio.store.Item;
import org.alfamix.studio.store.Label;
import org.alfamix.studio.store.LabelClass;
import org.alfamix.studio.store.Project;
import org.alfamix.studio.store.QueuedPick;
import org.alfamix.studio.store.TrainingRound;

/** The studio for programs: all that pages do. */
final class Api {
  private static final int MOST_NEXT = 20;
  private static final int LARGEST_SIDE = 2_000;

  private final Studio studio;
  private final Thumbnails thumbnails = new Thumbnails();

  Api(Studio studio) {
    this.studio = studio;
  }

  /** What can be asked for, and who answers. */
  record Route(HandlerType method, String path, Handler handler) {}

  List<Route> routes() {
    return List.of(
        new Route(HandlerType.GET, "/api/openapi.yaml", Api::description),
        new Route(HandlerType.GET, "/api/projects", this::projects),
        new Route(HandlerType.GET, "/api/projects/{project}", this::project),
        new Route(HandlerType.DELETE, "/api/projects/{project}", this::delete),
        new Route(HandlerType.PUT, "/api/projects/{project}/options", this::setOptions),
        new Route(HandlerType.POST, "/api/projects/{project}/classes", this::addClass),
        new Route(HandlerType.POST, "/api/projects/{project}/next", this::next),
        new Route(HandlerType.POST, "/api/projects/{project}/labels", this::say),
        new Route(HandlerType.POST, "/api/projects/{project}/undo", this::undo),
        new Route(HandlerType.POST, "/api/projects/{project}/train", this::train),
        new Route(HandlerType.GET, "/api/projects/{project}/labels", this::labels),
        new Route(HandlerType.PUT, "/api/projects/{project}/classes/{class}", this::renameClass),
        new Route(HandlerType.GET, "/api/projects/{project}/export", this::export),
        new Route(HandlerType.POST, "/api/projects/{project}/import", this::imports),
        new Route(HandlerType.GET, "/api/projects/{project}/rounds", this::rounds),
        new Route(HandlerType.GET, "/api/projects/{project}/map", this::map),
        new Route(HandlerType.GET, "/api/projects/{project}/items/{item}", this::item),
        new Route(HandlerType.GET, "/api/projects/{project}/items/{item}/content", this::content),
        new Route(HandlerType.GET, "/api/projects/{project}/items/{item}/history", this::history));
  }

  void register(RoutesConfig config) {
    routes().forEach(route -> config.addHttpHandler(route.method(), route.path(), route.handler()));
  }

  private Project find(Context context) {
    return studio.project(context.pathParam("project"));
  }

  private Item findItem(Context context, Project project) {
    return studio.item(project, context.pathParam("item"));
  }

  static int integer(String text, int least, int most) {
    try {
      int value = Integer.parseInt(text);
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new InvalidRequestException(
        "'%s', expected a number from %d to %d.".formatted(text, least, most));
  }

  private void projects(Context context) {
    List<Project> all = studio.store().projects();
    JsonAnswer.answer(
        context,
        json -> {
          json.writeArrayFieldStart("projects");
          for (Project project : all) {
            json.writeStartObject();
            summary(json, project);
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  private void summary(JsonGenerator json, Project project) throws IOException {
    json.writeStringField("name", project.name());
    json.writeNumberField("items", studio.store().items(project.id()));
    json.writeNumberField("labelled", studio.store().labels(project.id()).size());
    json.writeStringField("created", project.created().toString());
  }

  private void project(Context context) {
    Project project = find(context);
    Workshop.State state = studio.workshop(project).state();
    Map<Long, Long> balance = studio.balance(project);
    JsonAnswer.answer(
        context,
        json -> {
          summary(json, project);
          json.writeFieldName("options");
          json.writeRawValue(project.options());
          json.writeArrayFieldStart("classes");
          for (LabelClass each : studio.store().classes(project.id())) {
            json.writeStartObject();
            json.writeNumberField("id", each.id());
            json.writeStringField("name", each.name());
            json.writeNumberField("labels", balance.getOrDefault(each.id(), 0L));
            json.writeEndObject();
          }
          json.writeEndArray();
          json.writeBooleanField("busy", state.busy());
          json.writeStringField("state", state.what());
          json.writeStringField("failure", state.failure());
          json.writeArrayFieldStart("unreadable");
          for (String why : studio.workshop(project).unreadable()) {
            json.writeString(why);
          }
          json.writeEndArray();
        });
  }

  private void delete(Context context) {
    studio.delete(find(context));
    context.status(204);
  }

  private void setOptions(Context context) {
    Project project = find(context);
    studio.setOptions(project, ProjectOptions.parse(context.body()));
    context.status(204);
  }

  private void addClass(Context context) {
    LabelClass added = studio.addClass(find(context), JsonAnswer.body(context).get("name").text());
    JsonAnswer.answer(
        context,
        json -> {
          json.writeNumberField("id", added.id());
          json.writeStringField("name", added.name());
        });
    context.status(201);
  }

  private void renameClass(Context context) {
    studio.renameClass(
        find(context),
        integer(context.pathParam("class"), 0, Integer.MAX_VALUE),
        JsonAnswer.body(context).get("name").text());
    context.status(204);
  }

  /** All labels, as a file. */
  private void export(Context context) {
    Project project = find(context);
    Transfer.Format format =
        Transfer.Format.named(Optional.ofNullable(context.queryParam("format")).orElse("csv"));
    context.contentType(format.type());
    context.header(
        "Content-Disposition",
        "attachment; filename*=UTF-8''%s.%s"
            .formatted(Layout.encode(project.name()), format.ending()));
    // As a whole before the first byte leaves: what fails on the way is told.
    Path file = null;
    try {
      file = Files.createTempFile("alfamix-export", "." + format.ending());
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
        new Transfer(studio, project).export(format, out);
      }
      context.header("Content-Length", String.valueOf(Files.size(file)));
      try (InputStream in = Files.newInputStream(file)) {
        in.transferTo(context.outputStream());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      Transfer.delete(file);
    }
  }

  /** Labels from a file that is the body of the request. */
  private void imports(Context context) {
    Project project = find(context);
    boolean lines = String.valueOf(context.contentType()).contains("jsonl");
    int count =
        new Transfer(studio, project)
            .imports(
                lines ? "labels.jsonl" : "labels.csv",
                context.bodyAsBytes(),
                Optional.ofNullable(context.queryParam("annotator")).orElse("import"));
    JsonAnswer.answer(context, json -> json.writeNumberField("labels", count));
  }

  private static void description(Context context) {
    try (InputStream in = Api.class.getResourceAsStream("openapi.yaml")) {
      context.contentType("application/yaml; charset=utf-8").result(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void next(Context context) {
    Project project = find(context);
    JsonTree body = JsonAnswer.body(context);
    String annotator = body.get("annotator").text();
    answerNext(context, project, annotator, count(body));
  }

  private static int count(JsonTree body) {
    return body.has("count") ? (int) body.get("count").require(1, MOST_NEXT) : 1;
  }

  /** A word, and what comes next: one way there and back for each label. */
  private void say(Context context) {
    Project project = find(context);
    JsonTree body = JsonAnswer.body(context);
    studio.say(project, AnnotationForm.of(body));
    answerNext(context, project, body.get("annotator").text(), count(body));
  }

  private void answerNext(Context context, Project project, String annotator, int count) {
    List<Integer> items = studio.next(project, annotator, count, List.of());
    Workshop.State state = studio.workshop(project).state();
    Map<Integer, QueuedPick> picks = studio.picks(project);
    JsonAnswer.answer(
        context,
        json -> {
          json.writeArrayFieldStart("items");
          for (int item : items) {
            json.writeStartObject();
            json.writeNumberField("item", item);
            QueuedPick pick = picks.get(item);
            if (pick != null) {
              json.writeStringField("reason", pick.reason());
              if (pick.predicted().isPresent()) {
                json.writeNumberField("predicted", pick.predicted().getAsLong());
              }
              json.writeFieldName("near");
              json.writeRawValue(pick.near());
            }
            json.writeEndObject();
          }
          json.writeEndArray();
          json.writeBooleanField("busy", state.busy());
        });
  }

  private void undo(Context context) {
    Project project = find(context);
    JsonTree body = JsonAnswer.body(context);
    List<Integer> items =
        studio.undo(project, body.get("annotator").text(), body.get("request").text());
    JsonAnswer.answer(
        context,
        json -> {
          json.writeArrayFieldStart("items");
          for (int item : items) {
            json.writeNumber(item);
          }
          json.writeEndArray();
        });
  }

  private void train(Context context) {
    studio.workshop(find(context)).train();
    context.status(202);
  }

  private void labels(Context context) {
    Project project = find(context);
    Map<Integer, Label> labels = studio.store().labels(project.id());
    JsonAnswer.answer(
        context,
        json -> {
          json.writeArrayFieldStart("labels");
          for (Label label : labels.values()) {
            json.writeStartObject();
            json.writeNumberField("item", label.item());
            if (label.classId().isPresent()) {
              json.writeNumberField("class", label.classId().getAsLong());
            }
            json.writeNumberField("change", label.change());
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  private void rounds(Context context) {
    List<TrainingRound> rounds = studio.store().rounds(find(context).id());
    JsonAnswer.answer(
        context,
        json -> {
          json.writeArrayFieldStart("rounds");
          for (TrainingRound round : rounds) {
            json.writeStartObject();
            json.writeNumberField("number", round.number());
            json.writeStringField("method", round.method());
            json.writeNumberField("labels", round.labels());
            json.writeNumberField("tested", round.tested());
            json.writeNumberField("correct", round.correct());
            json.writeNumberField("seconds", round.seconds());
            json.writeStringField("at", round.at().toString());
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  private void map(Context context) {
    ItemMap map = studio.workshop(find(context)).map();
    JsonAnswer.answer(
        context,
        json -> {
          json.writeArrayFieldStart("points");
          for (ItemMap.Point point : map.points()) {
            json.writeStartObject();
            json.writeNumberField("item", point.item());
            json.writeNumberField("x", point.x());
            json.writeNumberField("y", point.y());
            json.writeNumberField("predicted", point.predicted());
            json.writeBooleanField("candidate", point.candidate());
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  private void item(Context context) {
    Project project = find(context);
    Item item = findItem(context, project);
    Optional<Label> label = studio.store().label(project.id(), item.number());
    JsonAnswer.answer(
        context,
        json -> {
          json.writeNumberField("item", item.number());
          json.writeStringField("name", item.name());
          json.writeBooleanField("held", item.held());
          if (label.isPresent()) {
            if (label.get().classId().isPresent()) {
              json.writeNumberField("class", label.get().classId().getAsLong());
            } else {
              json.writeBooleanField("unclear", true);
            }
          }
        });
  }

  /** What people see of an item. */
  private void content(Context context) {
    Project project = find(context);
    Item item = findItem(context, project);
    ItemSource source = studio.workshop(project).source();
    String side = context.queryParam("side");
    String key = project.id() + "/" + item.number();
    Shown shown =
        side != null && source.isClip(item.number())
            ? thumbnails.of(
                key, integer(side, 16, LARGEST_SIDE), () -> source.poster(item.number()))
            : source.show(item.number());
    if (shown instanceof Shown.Clip clip) {
      send(context, clip);
    } else if (shown instanceof Shown.Picture whole) {
      Shown.Picture picture =
          side == null ? whole : thumbnails.of(key, whole, integer(side, 16, LARGEST_SIDE));
      context.contentType(picture.type()).result(picture.bytes());
      context.header("Cache-Control", "private, max-age=3600");
    } else if (shown instanceof Shown.Text text) {
      context.contentType("text/plain; charset=utf-8").result(text.text());
    } else if (shown instanceof Shown.Link link) {
      JsonAnswer.answer(context, json -> json.writeStringField("address", link.address()));
    } else if (shown instanceof Shown.Fields fields) {
      JsonAnswer.answer(
          context,
          json -> {
            for (Map.Entry<String, String> field : fields.values().entrySet()) {
              json.writeStringField(field.getKey(), field.getValue());
            }
          });
    }
  }

  /** In pieces, as players ask for them. */
  private static void send(Context context, Shown.Clip clip) {
    try (InputStream in = Files.newInputStream(clip.file())) {
      long size = Files.size(clip.file());
      Optional<ByteRange> range = ByteRange.parse(context.header("Range"), size);
      ByteRange part = range.orElse(new ByteRange(0, size - 1));
      context.contentType(clip.type());
      context.header("Accept-Ranges", "bytes");
      if (range.isPresent() && !part.isWithinFile()) {
        context.status(416).header("Content-Range", "bytes */" + size);
        return;
      }
      context.header("Cache-Control", "private, max-age=3600");
      context.header("Content-Length", Long.toString(part.length()));
      if (range.isPresent()) {
        context.status(206);
        context.header(
            "Content-Range", "bytes %d-%d/%d".formatted(part.first(), part.last(), size));
      }
      in.skipNBytes(part.first());
      copy(in, part.length(), context.outputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void copy(InputStream in, long length, OutputStream out) throws IOException {
    byte[] block = new byte[1 << 16];
    for (long left = length; left > 0; ) {
      int read = in.read(block, 0, (int) Math.min(block.length, left));
      if (read < 0) {
        return; // the file became shorter meanwhile
      }
      out.write(block, 0, read);
      left -= read;
    }
  }

  private void history(Context context) {
    Project project = find(context);
    Item item = findItem(context, project);
    List<Change> changes = studio.store().history(project.id(), item.number());
    JsonAnswer.answer(
        context,
        json -> {
          json.writeArrayFieldStart("changes");
          for (Change change : changes) {
            json.writeStartObject();
            json.writeNumberField("id", change.id());
            json.writeStringField("action", change.action().toString());
            if (change.classId().isPresent()) {
              json.writeNumberField("class", change.classId().getAsLong());
            }
            json.writeStringField("annotator", change.annotator());
            json.writeStringField("at", change.at().toString());
            if (change.undoes().isPresent()) {
              json.writeNumberField("undoes", change.undoes().getAsLong());
            }
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }
}
