package org.alfamix.studio.store;

import static org.alfamix.studio.store.Database.first;
import static org.alfamix.studio.store.Database.insert;
import static org.alfamix.studio.store.Database.list;
import static org.alfamix.studio.store.Database.update;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** The store in one SQLite file. */
public final class SqliteStore implements Store {
  private static final String CHANGE = "id, item, action, class, annotator, at, undoes";

  private final Database database;
  private final Clock clock;

  public SqliteStore(Path file, Clock clock) {
    this.database = new Database(file, "org/alfamix/studio/store");
    this.clock = clock;
  }

  @Override
  public Project create(
      String name, String source, String options, List<String> classes, List<NewItem> items) {
    return database.write(
        connection -> {
          if (find(connection, name).isPresent()) {
            throw new StoreException(
                StoreException.Kind.CONFLICT, "There is a project '%s' already.".formatted(name));
          }
          long id =
              insert(
                  connection,
                  "INSERT INTO project (name, source, options, created) VALUES (?, ?, ?, ?)",
                  name,
                  source,
                  options,
                  clock.millis());
          for (String each : classes) {
            addClass(connection, id, each);
          }
          addItems(connection, id, items);
          return find(connection, name).orElseThrow();
        });
  }

  private static void addItems(Connection connection, long project, List<NewItem> items)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "INSERT INTO item (project, number, name, held) VALUES (?, ?, ?, ?)")) {
      for (int i = 0; i < items.size(); i++) {
        statement.setLong(1, project);
        statement.setInt(2, i);
        statement.setString(3, items.get(i).name());
        statement.setInt(4, items.get(i).held() ? 1 : 0);
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  @Override
  public List<Project> projects() {
    return database.read(
        connection ->
            list(connection, "SELECT * FROM project ORDER BY created, id", SqliteStore::project));
  }

  @Override
  public Optional<Project> project(String name) {
    return database.read(connection -> find(connection, name));
  }

  private static Optional<Project> find(Connection connection, String name) throws SQLException {
    return first(connection, "SELECT * FROM project WHERE name = ?", SqliteStore::project, name);
  }

  private static Project project(ResultSet row) throws SQLException {
    return new Project(
        row.getLong("id"),
        row.getString("name"),
        row.getString("source"),
        row.getString("options"),
        Instant.ofEpochMilli(row.getLong("created")));
  }

  @Override
  public void setOptions(long project, String options) {
    database.write(
        connection ->
            update(connection, "UPDATE project SET options = ? WHERE id = ?", options, project));
  }

  @Override
  public void delete(long project) {
    database.write(
        connection -> {
          for (String table : List.of("label", "pick", "lease", "change")) {
            update(connection, "DELETE FROM " + table + " WHERE project = ?", project);
          }
          return update(connection, "DELETE FROM project WHERE id = ?", project);
        });
  }

  @Override
  public List<LabelClass> classes(long project) {
    return database.read(connection -> classes(connection, project));
  }

  private static List<LabelClass> classes(Connection connection, long project) throws SQLException {
    return list(
        connection,
        "SELECT id, name, place FROM class WHERE project = ? ORDER BY place",
        row -> new LabelClass(row.getLong(1), row.getString(2), row.getInt(3)),
        project);
  }

  @Override
  public LabelClass addClass(long project, String name) {
    return database.write(connection -> addClass(connection, project, name));
  }

  private static LabelClass addClass(Connection connection, long project, String name)
      throws SQLException {
    List<LabelClass> there = classes(connection, project);
    if (there.stream().anyMatch(each -> each.name().equals(name))) {
      throw new StoreException(
          StoreException.Kind.CONFLICT, "There is a class '%s' already.".formatted(name));
    }
    long id =
        insert(
            connection,
            "INSERT INTO class (project, name, place) VALUES (?, ?, ?)",
            project,
            name,
            there.size());
    return new LabelClass(id, name, there.size());
  }

  @Override
  public int items(long project) {
    return database.read(
        connection ->
            first(
                    connection,
                    "SELECT count(*) FROM item WHERE project = ?",
                    row -> row.getInt(1),
                    project)
                .orElseThrow());
  }

  @Override
  public Optional<Item> item(long project, int number) {
    return database.read(connection -> item(connection, project, number));
  }

  private static Optional<Item> item(Connection connection, long project, int number)
      throws SQLException {
    return first(
        connection,
        "SELECT number, name, held FROM item WHERE project = ? AND number = ?",
        row -> new Item(row.getInt(1), row.getString(2), row.getInt(3) == 1),
        project,
        number);
  }

  @Override
  public Set<Integer> held(long project) {
    return database.read(
        connection ->
            new HashSet<>(
                list(
                    connection,
                    "SELECT number FROM item WHERE project = ? AND held = 1",
                    row -> row.getInt(1),
                    project)));
  }

  @Override
  public Change say(long project, Word word) {
    return database.write(
        connection -> {
          Optional<Change> before = byRequest(connection, word.request());
          if (before.isPresent()) {
            return before.get();
          }
          requireFree(connection, project, word);
          return say(connection, project, word);
        });
  }

  @Override
  public int sayAll(long project, List<Word> words) {
    return database.write(
        connection -> {
          int said = 0;
          for (Word word : words) {
            if (byRequest(connection, word.request()).isEmpty()) {
              say(connection, project, word);
              said++;
            }
          }
          return said;
        });
  }

  private Change say(Connection connection, long project, Word word) throws SQLException {
    if (item(connection, project, word.item()).isEmpty()) {
      throw new StoreException(
          StoreException.Kind.NOT_FOUND, "There is no item %d.".formatted(word.item()));
    }
    if (word.classId().isPresent()
        && classes(connection, project).stream()
            .noneMatch(each -> each.id() == word.classId().getAsLong())) {
      throw new StoreException(
          StoreException.Kind.NOT_FOUND,
          "There is no class %d.".formatted(word.classId().getAsLong()));
    }
    Change made = add(connection, project, word, null);
    hold(connection, project, made);
    update(connection, "DELETE FROM lease WHERE project = ? AND item = ?", project, word.item());
    return made;
  }

  private Change add(Connection connection, long project, Word word, Long undoes)
      throws SQLException {
    long id =
        insert(
            connection,
            "INSERT INTO change (project, item, action, class, annotator, at, request, undoes)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            project,
            word.item(),
            undoes == null ? word.action().toString() : Change.Action.UNDO.toString(),
            word.classId().isPresent() ? word.classId().getAsLong() : null,
            word.annotator(),
            clock.millis(),
            word.request(),
            undoes);
    return first(
            connection, "SELECT " + CHANGE + " FROM change WHERE id = ?", SqliteStore::change, id)
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

  private void requireFree(Connection connection, long project, Word word) throws SQLException {
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

  private static Optional<Change> byRequest(Connection connection, String request)
      throws SQLException {
    return first(
        connection,
        "SELECT " + CHANGE + " FROM change WHERE request = ?",
        SqliteStore::change,
        request);
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

  private static OptionalLong optional(ResultSet row, String column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(value);
  }

  @Override
  public OptionalInt undo(long project, String annotator, String request) {
    return database.write(
        connection -> {
          Optional<Change> before = byRequest(connection, request);
          if (before.isPresent()) {
            return OptionalInt.of(before.get().item());
          }
          Optional<Change> last =
              first(
                  connection,
                  "SELECT "
                      + CHANGE
                      + " FROM change c WHERE project = ? AND annotator = ? AND action NOT IN"
                      + " ('undo', 'import') AND NOT EXISTS (SELECT 1 FROM change u WHERE u.undoes"
                      + " = c.id) ORDER BY id DESC LIMIT 1",
                  SqliteStore::change,
                  project,
                  annotator);
          if (last.isEmpty()) {
            return OptionalInt.empty();
          }
          int item = last.get().item();
          add(
              connection,
              project,
              Word.of(item, Change.Action.CLEAR, annotator, request),
              last.get().id());
          restore(connection, project, item);
          return OptionalInt.of(item);
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
            SqliteStore::change,
            project,
            item);
    if (holds.isPresent()) {
      hold(connection, project, holds.get());
    }
  }

  @Override
  public Map<Integer, Label> labels(long project) {
    return database.read(
        connection -> {
          Map<Integer, Label> labels = new HashMap<>();
          list(
                  connection,
                  "SELECT item, class, change FROM label WHERE project = ?",
                  SqliteStore::label,
                  project)
              .forEach(label -> labels.put(label.item(), label));
          return labels;
        });
  }

  private static Label label(ResultSet row) throws SQLException {
    return new Label(row.getInt("item"), optional(row, "class"), row.getLong("change"));
  }

  @Override
  public Optional<Label> label(long project, int item) {
    return database.read(
        connection ->
            first(
                connection,
                "SELECT item, class, change FROM label WHERE project = ? AND item = ?",
                SqliteStore::label,
                project,
                item));
  }

  @Override
  public List<Change> history(long project, int item) {
    return database.read(
        connection ->
            list(
                connection,
                "SELECT " + CHANGE + " FROM change WHERE project = ? AND item = ? ORDER BY id",
                SqliteStore::change,
                project,
                item));
  }

  @Override
  public List<Change> changes(long project, int most) {
    return database.read(
        connection ->
            list(
                connection,
                "SELECT " + CHANGE + " FROM change WHERE project = ? ORDER BY id DESC LIMIT ?",
                SqliteStore::change,
                project,
                most));
  }

  @Override
  public void addRound(long project, Round round, List<Pick> picks) {
    database.write(
        connection -> {
          update(
              connection,
              "INSERT INTO round (project, number, method, labels, tested, correct, seconds, at)"
                  + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
              project,
              round.number(),
              round.method(),
              round.labels(),
              round.tested(),
              round.correct(),
              round.seconds(),
              round.at().toEpochMilli());
          for (Pick pick : picks) {
            update(
                connection,
                "INSERT INTO pick (project, round, rank, item, reason, predicted, near) VALUES (?,"
                    + " ?, ?, ?, ?, ?, ?)",
                project,
                round.number(),
                pick.rank(),
                pick.item(),
                pick.reason(),
                pick.predicted().isPresent() ? pick.predicted().getAsLong() : null,
                pick.near());
          }
          return null;
        });
  }

  @Override
  public List<Round> rounds(long project) {
    return database.read(
        connection ->
            list(
                connection,
                "SELECT * FROM round WHERE project = ? ORDER BY number",
                row ->
                    new Round(
                        row.getInt("number"),
                        row.getString("method"),
                        row.getInt("labels"),
                        row.getInt("tested"),
                        row.getInt("correct"),
                        row.getDouble("seconds"),
                        Instant.ofEpochMilli(row.getLong("at"))),
                project));
  }

  @Override
  public List<Pick> picks(long project, int round) {
    return database.read(
        connection ->
            list(
                connection,
                "SELECT rank, item, reason, predicted, near FROM pick WHERE project = ? AND round ="
                    + " ? ORDER BY rank",
                row ->
                    new Pick(
                        row.getInt("rank"),
                        row.getInt("item"),
                        row.getString("reason"),
                        optional(row, "predicted"),
                        row.getString("near")),
                project,
                round));
  }

  @Override
  public List<Integer> lend(
      long project,
      String annotator,
      List<Integer> order,
      Set<Integer> passed,
      int count,
      Duration howLong) {
    return database.write(
        connection -> {
          long now = clock.millis();
          update(connection, "DELETE FROM lease WHERE project = ? AND until <= ?", project, now);
          Map<Integer, String> leases = new HashMap<>();
          list(
                  connection,
                  "SELECT item, annotator FROM lease WHERE project = ?",
                  row -> Map.entry(row.getInt(1), row.getString(2)),
                  project)
              .forEach(lease -> leases.put(lease.getKey(), lease.getValue()));
          Set<Integer> spoken =
              new HashSet<>(
                  list(
                      connection,
                      "SELECT item FROM label WHERE project = ?",
                      row -> row.getInt(1),
                      project));
          List<Integer> free =
              order.stream()
                  .distinct()
                  .filter(item -> !spoken.contains(item) && !passed.contains(item))
                  .filter(item -> annotator.equals(leases.getOrDefault(item, annotator)))
                  .limit(count)
                  .toList();
          for (int item : free) {
            update(
                connection,
                "INSERT INTO lease (project, item, annotator, until) VALUES (?, ?, ?, ?) ON"
                    + " CONFLICT (project, item) DO UPDATE SET until = excluded.until",
                project,
                item,
                annotator,
                now + howLong.toMillis());
          }
          return free;
        });
  }

  @Override
  public Set<Integer> skipped(long project, String annotator) {
    return database.read(
        connection ->
            new HashSet<>(
                list(
                    connection,
                    "SELECT item FROM change c WHERE project = ? AND annotator = ? AND action ="
                        + " 'skip' AND NOT EXISTS (SELECT 1 FROM change u WHERE u.undoes = c.id)",
                    row -> row.getInt(1),
                    project,
                    annotator)));
  }

  @Override
  public void release(long project, String annotator) {
    database.write(
        connection ->
            update(
                connection,
                "DELETE FROM lease WHERE project = ? AND annotator = ?",
                project,
                annotator));
  }

  @Override
  public void close() {
    database.close();
  }
}
