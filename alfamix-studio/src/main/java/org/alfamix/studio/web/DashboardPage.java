package org.alfamix.studio.web;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.UploadedFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.learn.weights.PublishedWeights;
import org.alfamix.strategy.Strategies;
import org.alfamix.studio.Studio;
import org.alfamix.studio.engine.ProjectOptions;
import org.alfamix.studio.engine.ProjectWorker;
import org.alfamix.studio.store.Label;
import org.alfamix.studio.store.LabelClass;
import org.alfamix.studio.store.Project;
import org.alfamix.studio.store.TrainingRound;

/** The progress of a project, and its settings. */
final class DashboardPage {
  private final Studio studio;
  private final Texts texts;
  private final Cards cards;
  private final Charts charts;

  DashboardPage(Studio studio, Texts texts) {
    this.studio = studio;
    this.texts = texts;
    this.cards = new Cards(studio, texts);
    this.charts = new Charts(texts);
  }

  /**
   * The part of the page that changes during labelling.
   *
   * @param curve SVG of the learning curve; null before the first point
   * @param labelsOverTime SVG; null before the first labels
   * @param most the largest count of a class
   */
  record Live(
      String path,
      String seen,
      StateView state,
      String curve,
      String labelsOverTime,
      List<Count> balance,
      long most) {}

  /** Number of labelled items of a class. */
  record Count(String name, long count) {}

  /** The part of the page that sets options. */
  record Settings(
      List<LabelClass> classes,
      List<Choice> strategies,
      List<Choice> features,
      List<NumberField> numbers,
      String api,
      List<LabelExport.Format> formats) {}

  /** An option of a list. */
  record Choice(String name, String summary, boolean chosen) {}

  /** A number with its smallest value. */
  record NumberField(String name, int value, int least) {}

  void register(RoutesConfig routes) {
    routes.get("/p/{project}/dashboard", this::page);
    routes.get("/p/{project}/progress", this::progress);
    routes.get("/p/{project}/map", this::map);
    routes.post("/p/{project}/train", this::train);
    routes.post("/p/{project}/options", this::setOptions);
    routes.post("/p/{project}/classes", this::addClass);
    routes.post("/p/{project}/classes/{class}", this::renameClass);
    routes.post("/p/{project}/import", this::importLabels);
  }

  private Project find(Context context) {
    return studio.project(context.pathParam("project"));
  }

  private void page(Context context) {
    Project project = find(context);
    String title = texts.get("title.dashboard", project.name());
    Pages.render(
        context,
        "dashboard.jte",
        Map.of(
            "frame",
            Layout.frame(context, title, project, "dashboard"),
            "live",
            live(project),
            "settings",
            settings(project)));
  }

  private void progress(Context context) {
    Project project = find(context);
    if (seen(project).equals(context.queryParam("seen"))) {
      context.status(204); // the page stays as it is
      return;
    }
    Pages.render(context, "live.jte", Map.of("live", live(project)));
  }

  /** Returns a short text that changes whenever the page would change. */
  private String seen(Project project) {
    ProjectWorker worker = studio.worker(project);
    return "%d-%d-%d"
        .formatted(
            studio.store().ledger().lastChange(project.id()),
            studio.store().rounds().last(project.id()).map(TrainingRound::number).orElse(-1),
            Objects.hash(
                worker.state(),
                worker.unreadable(),
                studio.store().projects().classes(project.id())));
  }

  private Live live(Project project) {
    List<TrainingRound> rounds = studio.store().rounds().all(project.id());
    Map<Long, Long> counts = studio.balance(project);
    return new Live(
        Layout.path(project),
        seen(project),
        cards.state(project),
        charts.learningCurve(rounds).orElse(null),
        charts.labelsOverTime(studio.store().ledger().changes(project.id())).orElse(null),
        studio.store().projects().classes(project.id()).stream()
            .map(each -> new Count(each.name(), counts.getOrDefault(each.id(), 0L)))
            .toList(),
        Math.max(1, counts.values().stream().mapToLong(Long::longValue).max().orElse(1)));
  }

  private void map(Context context) {
    Project project = find(context);
    // Labels are read before classes: a class that is added in between has no labels yet.
    Collection<Label> labels = studio.store().ledger().labels(project.id()).values();
    Map<Long, Integer> placeOf =
        studio.store().projects().classes(project.id()).stream()
            .collect(Collectors.toMap(LabelClass::id, LabelClass::place));
    Map<Integer, Integer> places = new HashMap<>();
    for (Label label : labels) {
      label.classId().ifPresent(id -> places.put(label.item(), placeOf.get(id)));
    }
    Set<Integer> picks =
        studio.picks(project).keySet().stream()
            .filter(item -> !places.containsKey(item))
            .collect(Collectors.toCollection(TreeSet::new));
    Map<String, Object> values = new HashMap<>();
    String path = Layout.path(project);
    values.put("map", charts.map(studio.worker(project).map(), places, picks, path).orElse(null));
    values.put("picks", picks);
    values.put("path", path);
    Pages.render(context, "map.jte", values);
  }

  private Settings settings(Project project) {
    ProjectOptions options = Cards.options(project);
    return new Settings(
        studio.store().projects().classes(project.id()),
        Strategies.all().stream()
            .map(
                each ->
                    new Choice(
                        each.name(),
                        texts.getOrDefault("strategy." + each.name(), each.summary()),
                        each.name().equals(options.strategy())))
            .toList(),
        Stream.concat(
                ProjectOptions.FEATURES.stream(),
                // The folder of an encoder, which only the command line can set.
                Stream.of(options.features())
                    .filter(each -> !ProjectOptions.FEATURES.contains(each)))
            .map(each -> new Choice(each, describe(each), each.equals(options.features())))
            .toList(),
        List.of(
            new NumberField("budget", options.budget(), 1),
            new NumberField("trainEvery", options.trainEvery(), 0),
            new NumberField("testEvery", options.testEvery(), 0),
            new NumberField("leaseMinutes", options.leaseMinutes(), 1)),
        "/api/projects/" + Layout.encode(project.name()),
        List.of(LabelExport.Format.values()));
  }

  private String describe(String features) {
    return PublishedWeights.named(features)
        .map(
            weights ->
                texts.get(
                    PublishedWeights.takesClips(weights.network())
                        ? "features.videos"
                        : "features.photos"))
        .orElseGet(() -> texts.getOrDefault("features." + features, features));
  }

  private void train(Context context) {
    studio.worker(find(context)).train();
    context.status(204);
  }

  private void setOptions(Context context) {
    Project project = find(context);
    ProjectOptions before = Cards.options(project);
    studio.setOptions(
        project,
        new ProjectOptions(
            context.formParam("features"),
            context.formParam("strategy"),
            integer(context, "budget"),
            integer(context, "trainEvery"),
            integer(context, "testEvery"),
            integer(context, "leaseMinutes"),
            before.seed()));
    refresh(context);
  }

  private static int integer(Context context, String name) {
    return Api.integer(required(context, name), 0, Integer.MAX_VALUE);
  }

  private static String required(Context context, String name) {
    String value = context.formParam(name);
    if (value == null) {
      throw new InvalidRequestException(name, "is missing.");
    }
    return value.strip();
  }

  private void addClass(Context context) {
    studio.addClass(find(context), required(context, "name"));
    refresh(context);
  }

  private void renameClass(Context context) {
    studio.renameClass(
        find(context),
        Api.integer(context.pathParam("class"), 0, Integer.MAX_VALUE),
        required(context, "name"));
    refresh(context);
  }

  private void importLabels(Context context) {
    Project project = find(context);
    UploadedFile file = context.uploadedFile("file");
    if (file == null) {
      throw new InvalidRequestException(texts.get("transfer.missing"));
    }
    try (InputStream in = file.content()) {
      new LabelImport(studio, project)
          .importLabels(file.filename(), in.readAllBytes(), Layout.annotator(context));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    refresh(context);
  }

  private static void refresh(Context context) {
    context.header("HX-Refresh", "true");
    context.status(204);
  }
}
