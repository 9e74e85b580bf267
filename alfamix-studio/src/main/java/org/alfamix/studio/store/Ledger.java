package org.alfamix.studio.store;

import static org.alfamix.studio.store.Database.first;
import static org.alfamix.studio.store.Database.insert;
import static org.alfamix.studio.store.Database.list;
import static org.alfamix.studio.store.Database.update;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** The labels of items and the history of all changes, in an SQLite file. */
public final class Ledger {
  private static final String CHANGE = "id, item, action, class, annotator, at, undoes";

  private final Database database;
  private final Clock clock;

  Ledger(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  /**
   * Records answers, all or none. When this method returns, they are durable and the items'
   * reservations are released. Answers that were recorded together are undone together.
   *
   * @return the changes; for a repeated request those of the first time
   * @throws StoreException if an item or class does not exist, or an item is reserved by another
   *     annotator
   */
  public List<Change> save(long project, List<Answer> answers) {
    return database.write(
        connection -> {
          List<Change> changes = new ArrayList<>();
          Long first = null;
          for (int part = 0; part < answers.size(); part++) {
            Answer answer = answers.get(part);
            Optional<Change> before =
                byRequest(connection, project, answer.annotator(), answer.request(), part);
            if (before.isPresent()) {
              changes.add(requireSame(before.get(), answer));
              continue;
            }
            requireAvailable(connection, project, answer);
            Change made = save(connection, project, answer, part, first);
            if (answers.size() > 1 && first == null) {
              first = made.id();
              update(connection, "UPDATE change SET together = id WHERE id = ?", first);
            }
            changes.add(made);
          }
          return changes;
        });
  }

  /** Rejects an identifier that was used for a different answer. */
  private static Change requireSame(Change before, Answer answer) {
    if (before.item() != answer.item()
        || before.action() != answer.action()
        || !before.classId().equals(answer.classId())) {
      throw usedBefore(answer.request());
    }
    return before;
  }

  private static StoreException usedBefore(String request) {
    return new StoreException(
        StoreException.Kind.CONFLICT,
        "The request '%s' was used before for a different answer.".formatted(request));
  }

  /**
   * Adds classes and imports labels, all or none, regardless of reservations.
   *
   * @param classes names of the classes that must exist
   * @param labels the labels with the names of their classes
   */
  public void importLabels(
      long project, List<String> classes, List<ImportedLabel> labels, String annotator) {
    database.write(
        connection -> {
          Map<String, Long> ids = new HashMap<>();
          Projects.classes(connection, project).forEach(each -> ids.put(each.name(), each.id()));
          for (String name : classes) {
            if (!ids.containsKey(name)) {
              ids.put(name, Projects.addClass(connection, project, name).id());
            }
          }
          String request = "import-" + UUID.randomUUID();
          for (int i = 0; i < labels.size(); i++) {
            Answer answer =
                new Answer(
                    labels.get(i).item(),
                    Change.Action.IMPORT,
                    OptionalLong.of(ids.get(labels.get(i).className())),
                    true,
                    annotator,
                    request);
            save(connection, project, answer, i, null);
          }
          return null;
        });
  }

  private Change save(Connection connection, long project, Answer answer, int part, Long together)
      throws SQLException {
    if (Projects.item(connection, project, answer.item()).isEmpty()) {
      throw new StoreException(
          StoreException.Kind.NOT_FOUND, "There is no item %d.".formatted(answer.item()));
    }
    if (answer.classId().isPresent()) {
      Projects.requireClass(connection, project, answer.classId().getAsLong());
    }
    Change made = add(connection, project, answer, part, null, together);
    updateLabel(connection, project, made);
    update(connection, "DELETE FROM lease WHERE project = ? AND item = ?", project, answer.item());
    return made;
  }

  private Change add(
      Connection connection, long project, Answer answer, int part, Long undoes, Long together)
      throws SQLException {
    long id =
        insert(
            connection,
            "INSERT INTO change (project, item, action, class, annotator, at, request, part,"
                + " undoes, together) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            project,
            answer.item(),
            undoes == null ? answer.action().toString() : Change.Action.UNDO.toString(),
            answer.classId().isPresent() ? answer.classId().getAsLong() : null,
            answer.annotator(),
            clock.millis(),
            answer.request(),
            part,
            undoes,
            together);
    return first(connection, "SELECT " + CHANGE + " FROM change WHERE id = ?", Ledger::change, id)
        .orElseThrow();
  }

  /** Updates the item's label after a change; skipping leaves it unchanged. */
  private static void updateLabel(Connection connection, long project, Change made)
      throws SQLException {
    switch (made.action()) {
      case LABEL, IMPORT, UNCLEAR ->
          update(
              connection,
              "INSERT INTO label (project, item, class, change) VALUES (?, ?, ?, ?) ON CONFLICT"
                  + " (project, item) DO UPDATE SET class = excluded.class, change ="
                  + " excluded.change",
              project,
              made.item(),
              made.classId().isPresent() ? made.classId().getAsLong() : null,
              made.id());
      case CLEAR ->
          update(
              connection, "DELETE FROM label WHERE project = ? AND item = ?", project, made.item());
      case SKIP, UNDO -> {}
    }
  }

  /**
   * Checks that the item is not reserved by another annotator and has no label; an expired
   * reservation of the same annotator does not matter.
   */
  private void requireAvailable(Connection connection, long project, Answer answer)
      throws SQLException {
    boolean adds = answer.action() != Change.Action.CLEAR && !answer.again();
    if (adds && label(connection, project, answer.item()).isPresent()) {
      throw new StoreException(
          StoreException.Kind.CONFLICT, "Item %d already has a label.".formatted(answer.item()));
    }
    Optional<String> other =
        first(
            connection,
            "SELECT annotator FROM lease WHERE project = ? AND item = ? AND until > ? AND annotator"
                + " <> ?",
            row -> row.getString(1),
            project,
            answer.item(),
            clock.millis(),
            answer.annotator());
    if (other.isPresent()) {
      throw new StoreException(
          StoreException.Kind.CONFLICT,
          "Item %d is reserved by another annotator.".formatted(answer.item()));
    }
  }

  private static Optional<Change> byRequest(
      Connection connection, long project, String annotator, String request, int part)
      throws SQLException {
    return first(
        connection,
        "SELECT "
            + CHANGE
            + " FROM change WHERE project = ? AND annotator = ? AND request = ? AND part = ?",
        Ledger::change,
        project,
        annotator,
        request,
        part);
  }

  private static Change change(ResultSet row) throws SQLException {
    return new Change(
        row.getLong("id"),
        row.getInt("item"),
        Change.Action.of(row.getString("action")),
        optional(row, "class"),
        row.getString("annotator"),
        Instant.ofEpochMilli(row.getLong("at")),
        optional(row, "undoes"));
  }

  static OptionalLong optional(ResultSet row, String column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(value);
  }

  /**
   * Undoes the last answers of an annotator that were not undone yet.
   *
   * @return the items; none if nothing is left to undo
   */
  public List<Integer> undo(long project, String annotator, String request) {
    Answer.requireRequest(request);
    return database.write(
        connection -> {
          List<Change> before =
              list(
                  connection,
                  "SELECT "
                      + CHANGE
                      + " FROM change WHERE project = ? AND annotator = ? AND request = ? ORDER BY"
                      + " part",
                  Ledger::change,
                  project,
                  annotator,
                  request);
          if (!before.isEmpty()) {
            if (before.get(0).action() != Change.Action.UNDO) {
              throw usedBefore(request);
            }
            return before.stream().map(Change::item).toList();
          }
          Optional<Change> last =
              first(
                  connection,
                  "SELECT "
                      + CHANGE
                      + " FROM change c WHERE project = ? AND annotator = ? AND action NOT IN"
                      + " ('undo', 'import') AND NOT EXISTS (SELECT 1 FROM change u WHERE u.undoes"
                      + " = c.id) ORDER BY id DESC LIMIT 1",
                  Ledger::change,
                  project,
                  annotator);
          if (last.isEmpty()) {
            return List.of();
          }
          List<Change> together =
              list(
                  connection,
                  "SELECT "
                      + CHANGE
                      + " FROM change WHERE together = (SELECT together FROM change WHERE id = ?)"
                      + " ORDER BY id",
                  Ledger::change,
                  last.get().id());
          List<Change> taken = together.isEmpty() ? List.of(last.get()) : together;
          for (int i = 0; i < taken.size(); i++) {
            int item = taken.get(i).item();
            add(
                connection,
                project,
                Answer.of(item, Change.Action.CLEAR, annotator, request),
                i,
                taken.get(i).id(),
                null);
            restore(connection, project, item);
          }
          return taken.stream().map(Change::item).toList();
        });
  }

  /** Sets the item's label to that of the last change that was not undone. */
  private static void restore(Connection connection, long project, int item) throws SQLException {
    update(connection, "DELETE FROM label WHERE project = ? AND item = ?", project, item);
    Optional<Change> holds =
        first(
            connection,
            "SELECT "
                + CHANGE
                + " FROM change c WHERE project = ? AND item = ? AND action NOT IN ('undo', 'skip')"
                + " AND NOT EXISTS (SELECT 1 FROM change u WHERE u.undoes = c.id) ORDER BY id DESC"
                + " LIMIT 1",
            Ledger::change,
            project,
            item);
    if (holds.isPresent()) {
      updateLabel(connection, project, holds.get());
    }
  }

  /** Returns the current labels. */
  public Map<Integer, Label> labels(long project) {
    return database.read(
        connection -> {
          Map<Integer, Label> labels = new HashMap<>();
          list(
                  connection,
                  "SELECT item, class, change FROM label WHERE project = ?",
                  Ledger::label,
                  project)
              .forEach(label -> labels.put(label.item(), label));
          return labels;
        });
  }

  private static Label label(ResultSet row) throws SQLException {
    return new Label(row.getInt("item"), optional(row, "class"), row.getLong("change"));
  }

  /** Returns the number of answered items. */
  public int countLabels(long project) {
    return database
        .one("SELECT count(*) FROM label WHERE project = ?", row -> row.getInt(1), project)
        .orElseThrow();
  }

  public Optional<Label> label(long project, int item) {
    return database.read(connection -> label(connection, project, item));
  }

  private static Optional<Label> label(Connection connection, long project, int item)
      throws SQLException {
    return first(
        connection,
        "SELECT item, class, change FROM label WHERE project = ? AND item = ?",
        Ledger::label,
        project,
        item);
  }

  /** Returns all changes of an item, oldest first. */
  public List<Change> history(long project, int item) {
    return database.all(
        "SELECT " + CHANGE + " FROM change WHERE project = ? AND item = ? ORDER BY id",
        Ledger::change,
        project,
        item);
  }

  /** Returns the id of the last change of a project; 0 before the first. */
  public long lastChange(long project) {
    return database
        .one(
            "SELECT id FROM change WHERE project = ? ORDER BY id DESC LIMIT 1",
            row -> row.getLong(1),
            project)
        .orElse(0L);
  }

  /** Returns all changes of a project, oldest first. */
  public List<Change> changes(long project) {
    return database.all(
        "SELECT " + CHANGE + " FROM change WHERE project = ? ORDER BY id", Ledger::change, project);
  }
}
