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
import org.alfamix.error.InvalidRequestException;
import org.alfamix.strategy.Strategies;
import org.alfamix.strategy.StrategyEntry;
import org.alfamix.studio.Studio;
import org.alfamix.studio.engine.ProjectOptions;
import org.alfamix.studio.engine.Workshop;
import org.alfamix.studio.store.Label;
import org.alfamix.studio.store.LabelClass;
import org.alfamix.studio.store.Project;
import org.alfamix.studio.store.TrainingRound;

/** How a project gets on, and what can be set. */
final class DashboardPage {
  private final Studio studio;
  private final Cards cards;

  DashboardPage(Studio studio) {
    this.studio = studio;
    this.cards = new Cards(studio);
  }

  void register(RoutesConfig routes) {
    routes.get("/p/{project}/dashboard", this::page);
    routes.get("/p/{project}/progress", this::progress);
    routes.get("/p/{project}/map", this::map);
    routes.post("/p/{project}/train", this::train);
    routes.post("/p/{project}/options", this::setOptions);
    routes.post("/p/{project}/classes", this::addClass);
    routes.post("/p/{project}/classes/{class}", this::renameClass);
    routes.post("/p/{project}/import", this::imports);
  }

  private Project find(Context context) {
    return studio.project(context.pathParam("project"));
  }

  private void page(Context context) {
    Project project = find(context);
    Html body = new Html().add("<main class=\"wide\">");
    body.add("%s", live(project));
    body.add(
        "<p><button hx-post=\"%s/train\" hx-swap=\"none\">train now</button></p>",
        Layout.path(project));
    body.add("<section><h2>Map</h2>");
    body.add(
        "<p class=\"soft\">Where items lie for the model, in the plane of the two largest principal"
            + " components: large dots are labelled, rings are picked, dark dots are candidates"
            + " (items that changed their class when mixed with others). Click one to see it.</p>");
    body.add(
        "<div hx-get=\"%s/map\" hx-trigger=\"load, every 20s\">…</div></section>",
        Layout.path(project));
    body.add("%s", classes(project));
    body.add("%s", settings(project));
    body.add("%s", transfer(project));
    body.add("</main>");
    Layout.page(context, "dashboard of " + project.name(), project, "dashboard", body);
  }

  private void progress(Context context) {
    Project project = find(context);
    if (seen(project).equals(context.queryParam("seen"))) {
      context.status(204); // the page stays as it is
      return;
    }
    context.html(live(project).toString());
  }

  /** What the page was drawn from, in short: with another one, it has changed. */
  private String seen(Project project) {
    Workshop workshop = studio.workshop(project);
    return "%d-%d-%d"
        .formatted(
            studio.store().lastChange(project.id()),
            studio.store().lastRound(project.id()).map(TrainingRound::number).orElse(-1),
            Objects.hash(
                workshop.state(), workshop.unreadable(), studio.store().classes(project.id())));
  }

  /** What changes while people label. */
  private Html live(Project project) {
    String path = Layout.path(project);
    List<TrainingRound> rounds = studio.store().rounds(project.id());
    Html html = new Html();
    html.add(
        "<div id=\"live\" hx-get=\"%s/progress?seen=%s\" hx-trigger=\"every 3s\""
            + " hx-swap=\"outerHTML\">",
        path, seen(project));
    html.add("%s", cards.state(project));
    html.add("<div class=\"panels\">");
    html.add("<section><h2>Learning curve</h2>%s", Charts.learningCurve(rounds));
    html.add(
        "<p class=\"soft\">Accuracy on held-out items that people have labelled, too; the band is"
            + " where it lies in truth in 95 of 100 cases.</p></section>");
    html.add(
        "<section><h2>Labels over time</h2>%s</section>",
        Charts.labelsOverTime(studio.store().changes(project.id())));
    html.add(
        "<section><h2>Classes</h2>%s</section>",
        Charts.balance(studio.store().classes(project.id()), studio.balance(project)));
    return html.add("</div></div>");
  }

  private void map(Context context) {
    Project project = find(context);
    // Labels first: a class that is added meanwhile has none of them.
    Collection<Label> labels = studio.store().labels(project.id()).values();
    Map<Long, Integer> placeOf =
        studio.store().classes(project.id()).stream()
            .collect(Collectors.toMap(LabelClass::id, LabelClass::place));
    Map<Integer, Integer> places = new HashMap<>();
    for (Label label : labels) {
      label.classId().ifPresent(id -> places.put(label.item(), placeOf.get(id)));
    }
    Set<Integer> picks =
        studio.picks(project).keySet().stream()
            .filter(item -> !places.containsKey(item))
            .collect(Collectors.toCollection(TreeSet::new));
    Html html = Charts.map(studio.workshop(project).map(), places, picks, Layout.path(project));
    html.add("<details><summary>The picks as a list</summary><p class=\"filters\">");
    for (int item : picks) {
      html.add("<a href=\"%s/items/%s\">item %s</a>", Layout.path(project), item, item);
    }
    html.add("</p></details>");
    context.html(html.toString());
  }

  private Html classes(Project project) {
    Html html = new Html().add("<section><h2>Names of classes</h2><ul class=\"names\">");
    for (LabelClass each : studio.store().classes(project.id())) {
      html.add(
          "<li><form hx-post=\"%s/classes/%s\" hx-swap=\"none\"><input name=\"name\" value=\"%s\""
              + " aria-label=\"name of %s\" maxlength=\"80\" required>"
              + " <button>rename</button></form></li>",
          Layout.path(project), each.id(), each.name(), each.name());
    }
    html.add("</ul>");
    html.add(
        "<form hx-post=\"%s/classes\" hx-swap=\"none\"><label>A new class <input name=\"name\""
            + " maxlength=\"80\" required></label> <button>add</button></form></section>",
        Layout.path(project));
    return html;
  }

  private Html settings(Project project) {
    ProjectOptions options = Cards.options(project);
    Html html = new Html();
    html.add(
        "<section><h2>Settings</h2><form class=\"settings\" hx-post=\"%s/options\""
            + " hx-swap=\"none\">",
        Layout.path(project));
    html.add("<label>Method <select name=\"strategy\">");
    for (StrategyEntry<?> entry : Strategies.all()) {
      html.add(
          "<option value=\"%s\"%s>%s: %s</option>",
          entry.name(),
          selected(entry.name().equals(options.strategy())),
          entry.name(),
          entry.summary());
    }
    html.add("</select></label>");
    explain(
        html,
        "How a batch is chosen. alfamix asks for items whose class changes when their features are"
            + " mixed a little with those of labelled ones, and spreads them.");
    html.add("<label>Features <select name=\"features\">");
    ProjectOptions.FEATURES.forEach(
        (name, summary) ->
            html.add(
                "<option value=\"%s\"%s>%s: %s</option>",
                name, selected(name.equals(options.features())), name, summary));
    html.add("</select></label>");
    explain(html, "What the model sees.");
    number(
        html,
        "budget",
        "Batch",
        options.budget(),
        1,
        "How many items are asked for at once. Small batches choose better, large ones train less"
            + " often.");
    number(
        html,
        "trainEvery",
        "Train after so many labels",
        options.trainEvery(),
        0,
        "0: when a batch is done.");
    number(
        html,
        "testEvery",
        "One in so many items tests the model",
        options.testEvery(),
        0,
        "Such items are never trained on; without them there is no learning curve. 0: none. Which"
            + " ones is drawn when the project is made, unless it is made without.");
    number(
        html,
        "leaseMinutes",
        "Minutes that an item is one annotator's",
        options.leaseMinutes(),
        1,
        "Whoever takes longer may find that somebody else was asked, too.");
    html.add("<button>save</button></form></section>");
    return html;
  }

  private static Html selected(boolean is) {
    return is ? Html.of(" selected") : new Html();
  }

  private static void explain(Html html, String words) {
    html.add("<p class=\"soft\">%s</p>", words);
  }

  private static void number(
      Html html, String name, String title, int value, int least, String words) {
    html.add(
        "<label>%s <input type=\"number\" name=\"%s\" value=\"%s\" min=\"%s\" max=\"10000\""
            + " required></label>",
        title, name, value, least);
    explain(html, words);
  }

  private Html transfer(Project project) {
    String api = "/api/projects/" + Layout.encode(project.name());
    Html html = new Html().add("<section><h2>Labels in and out</h2><p class=\"filters\">");
    for (Transfer.Format format : Transfer.Format.values()) {
      html.add(
          "<a href=\"%s/export?format=%s\" download>%s</a>", api, format, format.description());
    }
    html.add("</p>");
    html.add(
        "<form hx-post=\"%s/import\" hx-encoding=\"multipart/form-data\""
            + " hx-swap=\"none\"><label>Labels from a CSV or JSONL file with <code>item</code> and"
            + " <code>label</code> <input type=\"file\" name=\"file\" accept=\".csv,.jsonl\""
            + " required></label> <button>import</button></form></section>",
        Layout.path(project));
    return html;
  }

  private void train(Context context) {
    studio.workshop(find(context)).train();
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
    return Api.integer(String.valueOf(context.formParam(name)), 0, Integer.MAX_VALUE);
  }

  private void addClass(Context context) {
    studio.addClass(find(context), String.valueOf(context.formParam("name")).strip());
    refresh(context);
  }

  private void renameClass(Context context) {
    studio.renameClass(
        find(context),
        Api.integer(context.pathParam("class"), 0, Integer.MAX_VALUE),
        String.valueOf(context.formParam("name")).strip());
    refresh(context);
  }

  private void imports(Context context) {
    Project project = find(context);
    UploadedFile file = context.uploadedFile("file");
    if (file == null) {
      throw new InvalidRequestException("A file is missing.");
    }
    try (InputStream in = file.content()) {
      new Transfer(studio, project)
          .imports(file.filename(), in.readAllBytes(), Layout.annotator(context));
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
