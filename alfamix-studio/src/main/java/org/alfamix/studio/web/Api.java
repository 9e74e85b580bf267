package org.alfamix.studio.web;

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
import java.util.OptionalLong;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.table.JsonTree;
import org.alfamix.studio.Studio;
import org.alfamix.studio.engine.ProjectOptions;
import org.alfamix.studio.engine.ProjectWorker;
import org.alfamix.studio.store.Item;
import org.alfamix.studio.store.Label;
import org.alfamix.studio.store.LabelClass;
import org.alfamix.studio.store.Project;
import org.alfamix.studio.store.QueuedPick;

/** The REST API, which offers everything that the pages do. */
final class Api {
  private static final int MAX_NEXT = 20;

  private final Studio studio;
  private final ItemContent content;

  Api(Studio studio) {
    this.studio = studio;
    this.content = new ItemContent(studio);
  }

  /** Registers the routes. */
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
        new Route(HandlerType.POST, "/api/projects/{project}/labels", this::save),
        new Route(HandlerType.POST, "/api/projects/{project}/undo", this::undo),
        new Route(HandlerType.POST, "/api/projects/{project}/train", this::train),
        new Route(HandlerType.GET, "/api/projects/{project}/labels", this::labels),
        new Route(HandlerType.PUT, "/api/projects/{project}/classes/{class}", this::renameClass),
        new Route(HandlerType.GET, "/api/projects/{project}/export", this::export),
        new Route(HandlerType.POST, "/api/projects/{project}/import", this::importLabels),
        new Route(HandlerType.GET, "/api/projects/{project}/rounds", this::rounds),
        new Route(HandlerType.GET, "/api/projects/{project}/map", this::map),
        new Route(HandlerType.GET, "/api/projects/{project}/items/{item}", this::item),
        new Route(HandlerType.GET, "/api/projects/{project}/items/{item}/content", content::answer),
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

  static int integer(String text, int min, int max) {
    try {
      int value = Integer.parseInt(text);
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw new InvalidRequestException(
        "'%s', expected a number from %d to %d.".formatted(text, min, max));
  }

  private void projects(Context context) {
    List<ApiAnswers.Summary> all =
        studio.store().projects().all().stream().map(this::summary).toList();
    JsonAnswer.answer(context, new ApiAnswers.Projects(all));
  }

  private ApiAnswers.Summary summary(Project project) {
    return new ApiAnswers.Summary(
        project.name(),
        studio.store().projects().items(project.id()),
        studio.store().ledger().countLabels(project.id()),
        project.created().toString());
  }

  private void project(Context context) {
    Project project = find(context);
    ProjectWorker worker = studio.worker(project);
    ProjectWorker.State state = worker.state();
    Map<Long, Long> balance = studio.balance(project);
    JsonAnswer.answer(
        context,
        new ApiAnswers.Details(
            summary(project),
            project.options(),
            studio.store().projects().classes(project.id()).stream()
                .map(
                    each ->
                        new ApiAnswers.ClassCount(
                            each.id(), each.name(), balance.getOrDefault(each.id(), 0L)))
                .toList(),
            state.busy(),
            Texts.ENGLISH.get(
                "activity." + state.activity().key(), state.activity().values().toArray()),
            state.failure(),
            worker.unreadable()));
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
    JsonAnswer.answer(context, new ApiAnswers.NewClass(added.id(), added.name()));
    context.status(201);
  }

  private void renameClass(Context context) {
    studio.renameClass(
        find(context),
        integer(context.pathParam("class"), 0, Integer.MAX_VALUE),
        JsonAnswer.body(context).get("name").text());
    context.status(204);
  }

  /** Exports all labels as a file. */
  private void export(Context context) {
    Project project = find(context);
    LabelExport.Format format =
        LabelExport.Format.named(Optional.ofNullable(context.queryParam("format")).orElse("csv"));
    context.contentType(format.type());
    context.header(
        "Content-Disposition",
        "attachment; filename*=UTF-8''%s.%s"
            .formatted(Layout.encode(project.name()), format.ending()));
    // Written completely before the first byte is sent, so that a failure is reported.
    Path file = null;
    try {
      file = Files.createTempFile("alfamix-export", "." + format.ending());
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
        new LabelExport(studio, project).export(format, out);
      }
      context.header("Content-Length", String.valueOf(Files.size(file)));
      try (InputStream in = Files.newInputStream(file)) {
        in.transferTo(context.outputStream());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      LabelImport.delete(file);
    }
  }

  /** Imports labels from the body of the request. */
  private void importLabels(Context context) {
    Project project = find(context);
    boolean lines = String.valueOf(context.contentType()).contains("jsonl");
    int count =
        new LabelImport(studio, project)
            .importLabels(
                lines ? "labels.jsonl" : "labels.csv",
                context.bodyAsBytes(),
                Optional.ofNullable(context.queryParam("annotator")).orElse("import"));
    JsonAnswer.answer(context, new ApiAnswers.Imported(count));
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
    return body.has("count") ? (int) body.get("count").require(1, MAX_NEXT) : 1;
  }

  /** Records an answer and returns the next item, in a single request. */
  private void save(Context context) {
    Project project = find(context);
    JsonTree body = JsonAnswer.body(context);
    // Everything is validated before anything is saved.
    int count = count(body);
    studio.save(project, AnnotationForm.of(body));
    answerNext(context, project, body.get("annotator").text(), count);
  }

  private void answerNext(Context context, Project project, String annotator, int count) {
    List<Integer> items = studio.next(project, annotator, count, List.of());
    ProjectWorker.State state = studio.worker(project).state();
    Map<Integer, QueuedPick> picks = studio.picks(project);
    JsonAnswer.answer(
        context,
        new ApiAnswers.Next(
            items.stream().map(item -> nextItem(item, picks.get(item))).toList(), state.busy()));
  }

  private static ApiAnswers.NextItem nextItem(int item, QueuedPick pick) {
    if (pick == null) {
      return new ApiAnswers.NextItem(item, null, null, null);
    }
    Long predicted = pick.predicted().isPresent() ? pick.predicted().getAsLong() : null;
    return new ApiAnswers.NextItem(item, pick.reason(), predicted, pick.near());
  }

  private void undo(Context context) {
    Project project = find(context);
    JsonTree body = JsonAnswer.body(context);
    List<Integer> items =
        studio.undo(project, body.get("annotator").text(), body.get("request").text());
    JsonAnswer.answer(context, new ApiAnswers.Undone(items));
  }

  private void train(Context context) {
    studio.worker(find(context)).train();
    context.status(202);
  }

  private void labels(Context context) {
    List<ApiAnswers.ItemLabel> labels =
        studio.store().ledger().labels(find(context).id()).values().stream()
            .map(
                label ->
                    new ApiAnswers.ItemLabel(label.item(), boxed(label.classId()), label.change()))
            .toList();
    JsonAnswer.answer(context, new ApiAnswers.Labels(labels));
  }

  private static Long boxed(OptionalLong value) {
    return value.isPresent() ? value.getAsLong() : null;
  }

  private void rounds(Context context) {
    List<ApiAnswers.Round> rounds =
        studio.store().rounds().all(find(context).id()).stream()
            .map(
                each ->
                    new ApiAnswers.Round(
                        each.number(),
                        each.method(),
                        each.labels(),
                        each.tested(),
                        each.correct(),
                        each.seconds(),
                        each.at().toString()))
            .toList();
    JsonAnswer.answer(context, new ApiAnswers.Rounds(rounds));
  }

  private void map(Context context) {
    JsonAnswer.answer(context, studio.worker(find(context)).map());
  }

  private void item(Context context) {
    Project project = find(context);
    Item item = findItem(context, project);
    Optional<Label> label = studio.store().ledger().label(project.id(), item.number());
    Boolean unclear = label.filter(each -> each.classId().isEmpty()).map(each -> true).orElse(null);
    JsonAnswer.answer(
        context,
        new ApiAnswers.ItemDetails(
            item.number(),
            item.name(),
            item.held(),
            label.map(each -> boxed(each.classId())).orElse(null),
            unclear));
  }

  private void history(Context context) {
    Project project = find(context);
    Item item = findItem(context, project);
    List<ApiAnswers.Change> changes =
        studio.store().ledger().history(project.id(), item.number()).stream()
            .map(
                each ->
                    new ApiAnswers.Change(
                        each.id(),
                        each.action().toString(),
                        boxed(each.classId()),
                        each.annotator(),
                        each.at().toString(),
                        boxed(each.undoes())))
            .toList();
    JsonAnswer.answer(context, new ApiAnswers.Changes(changes));
  }
}
