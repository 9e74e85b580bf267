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

/** What was said of items, in an SQLite file: every word ever, and what holds now. */
public final class Ledger {
  private static final String CHANGE = "id, item, action, class, annotator, at, undoes";

  private final Database database;
  private final Clock clock;

  Ledger(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  /**
   * Takes words on items, as a whole or not at all; they are durable and the items' leases are gone
   * when this returns. What is said at once is taken back at once.
   *
   * @return the changes; those of the first time where a request came before
   * @throws StoreException where there is no such item or class, or an item is leased to another
   */
  public List<Change> say(long project, List<Word> words) {
    return database.write(
        connection -> {
          List<Change> said = new ArrayList<>();
          Long first = null;
          for (int part = 0; part < words.size(); part++) {
            Word word = words.get(part);
            Optional<Change> before =
                byRequest(connection, project, word.annotator(), word.request(), part);
            if (before.isPresent()) {
              said.add(requireSame(before.get(), word));
              continue;
            }
            requireFree(connection, project, word);
            Change made = say(connection, project, word, part, first);
            if (words.size() > 1 && first == null) {
              first = made.id();
              update(connection, "UPDATE change SET together = id WHERE id = ?", first);
            }
            said.add(made);
          }
          return said;
        });
  }

  /** A request has one meaning: who uses its name for another word has made a mistake. */
  private static Change requireSame(Change before, Word word) {
    if (before.item() != word.item()
        || before.action() != word.action()
        || !before.classId().equals(word.classId())) {
      throw usedBefore(word.request());
    }
    return before;
  }

  private static StoreException usedBefore(String request) {
    return new StoreException(
        StoreException.Kind.CONFLICT,
        "The request '%s' was used before, for something else.".formatted(request));
  }

  /**
   * Adds classes and takes words that came with a file, as a whole or not at all; leases do not
   * count.
   *
   * @param classes the names of classes that are to be there
   * @param words what was said, by the name of a class
   */
  public void imports(
      long project, List<String> classes, List<ImportedLabel> words, String annotator) {
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
          for (int i = 0; i < words.size(); i++) {
            Word word =
                new Word(
                    words.get(i).item(),
                    Change.Action.IMPORT,
                    OptionalLong.of(ids.get(words.get(i).className())),
                    true,
                    annotator,
                    request);
            say(connection, project, word, i, null);
          }
          return null;
        });
  }

  private Change say(Connection connection, long project, Word word, int part, Long together)
      throws SQLException {
    if (Projects.item(connection, project, word.item()).isEmpty()) {
      throw new StoreException(
          StoreException.Kind.NOT_FOUND, "There is no item %d.".formatted(word.item()));
    }
    if (word.classId().isPresent()) {
      Projects.requireClass(connection, project, word.classId().getAsLong());
    }
    Change made = add(connection, project, word, part, null, together);
    hold(connection, project, made);
    update(connection, "DELETE FROM lease WHERE project = ? AND item = ?", project, word.item());
    return made;
  }

  private Change add(
      Connection connection, long project, Word word, int part, Long undoes, Long together)
      throws SQLException {
    long id =
        insert(
            connection,
            "INSERT INTO change (project, item, action, class, annotator, at, request, part,"
                + " undoes, together) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            project,
            word.item(),
            undoes == null ? word.action().toString() : Change.Action.UNDO.toString(),
            word.classId().isPresent() ? word.classId().getAsLong() : null,
            word.annotator(),
            clock.millis(),
            word.request(),
            part,
            undoes,
            together);
    return first(connection, "SELECT " + CHANGE + " FROM change WHERE id = ?", Ledger::change, id)
        .orElseThrow();
  }

  /** What a change makes of the item's label; to skip makes nothing of it. */
  private static void hold(Connection connection, long project, Change made) throws SQLException {
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

  /** A lease that has run out does no harm, unless somebody else was quicker. */
  private void requireFree(Connection connection, long project, Word word) throws SQLException {
    boolean adds = word.action() != Change.Action.CLEAR && !word.again();
    if (adds && label(connection, project, word.item()).isPresent()) {
      throw new StoreException(
          StoreException.Kind.CONFLICT,
          "Item %d has a label by now; say so where it is to be another.".formatted(word.item()));
    }
    Optional<String> other =
        first(
            connection,
            "SELECT annotator FROM lease WHERE project = ? AND item = ? AND until > ? AND annotator"
                + " <> ?",
            row -> row.getString(1),
            project,
            word.item(),
            clock.millis(),
            word.annotator());
    if (other.isPresent()) {
      throw new StoreException(
          StoreException.Kind.CONFLICT,
          "Item %d is with another annotator.".formatted(word.item()));
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
   * Takes back the last words of an annotator that were not taken back yet.
   *
   * @return the items; none where there is nothing left to take back
   */
  public List<Integer> undo(long project, String annotator, String request) {
    Word.requireRequest(request);
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
                Word.of(item, Change.Action.CLEAR, annotator, request),
                i,
                taken.get(i).id(),
                null);
            restore(connection, project, item);
          }
          return taken.stream().map(Change::item).toList();
        });
  }

  /** The item is what the last change says that was not taken back. */
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
      hold(connection, project, holds.get());
    }
  }

  /** What is said of items now. */
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

  /** How many items somebody has spoken of. */
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

  /** All that was ever said of an item, first things first. */
  public List<Change> history(long project, int item) {
    return database.all(
        "SELECT " + CHANGE + " FROM change WHERE project = ? AND item = ? ORDER BY id",
        Ledger::change,
        project,
        item);
  }

  /** The id of the last change of a project; 0 where nothing was said yet. */
  public long lastChange(long project) {
    return database
        .one(
            "SELECT id FROM change WHERE project = ? ORDER BY id DESC LIMIT 1",
            row -> row.getLong(1),
            project)
        .orElse(0L);
  }

  /** All changes of a project, first things first. */
  public List<Change> changes(long project) {
    return database.all(
        "SELECT " + CHANGE + " FROM change WHERE project = ? ORDER BY id", Ledger::change, project);
  }
}
