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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/** The store in one SQLite file. */
public final class SqliteStore implements Store {
  private static final String CHANGE = "id, item, action, class, annotator, at, undoes";

  private final Database database;
  private final Rounds rounds;
  private final Leases leases;
  private final Clock clock;

  public SqliteStore(Path file, Clock clock) {
    this.database = new Database(file, "org/alfamix/studio/store");
    this.rounds = new Rounds(database);
    this.leases = new Leases(database, clock);
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
            "INSERT INTO item (project, number, name, held, lot) VALUES (?, ?, ?, ?, ?)")) {
      for (int i = 0; i < items.size(); i++) {
        statement.setLong(1, project);
        statement.setInt(2, i);
        statement.setString(3, items.get(i).name());
        statement.setInt(4, items.get(i).held() ? 1 : 0);
        statement.setInt(5, items.get(i).lot());
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  @Override
  public List<Project> projects() {
    return database.all("SELECT * FROM project ORDER BY created, id", SqliteStore::project);
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
  public void renameClass(long project, long id, String name) {
    database.write(
        connection -> {
          for (LabelClass there : classes(connection, project)) {
            if (there.name().equals(name) && there.id() != id) {
              throw new StoreException(
                  StoreException.Kind.CONFLICT, "There is a class '%s' already.".formatted(name));
            }
          }
          requireClass(connection, project, id);
          return update(connection, "UPDATE class SET name = ? WHERE id = ?", name, id);
        });
  }

  private static void requireClass(Connection connection, long project, long id)
      throws SQLException {
    if (classes(connection, project).stream().noneMatch(each -> each.id() == id)) {
      throw new StoreException(
          StoreException.Kind.NOT_FOUND, "There is no class %d.".formatted(id));
    }
  }

  @Override
  public int items(long project) {
    return database
        .one("SELECT count(*) FROM item WHERE project = ?", row -> row.getInt(1), project)
        .orElseThrow();
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
        SqliteStore::item,
        project,
        number);
  }

  private static Item item(ResultSet row) throws SQLException {
    return new Item(row.getInt("number"), row.getString("name"), row.getInt("held") == 1);
  }

  @Override
  public List<Item> allItems(long project) {
    return database.all(
        "SELECT number, name, held FROM item WHERE project = ? ORDER BY number",
        SqliteStore::item,
        project);
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

  @Override
  public void imports(long project, List<String> classes, List<Imported> words, String annotator) {
    database.write(
        connection -> {
          Map<String, Long> ids = new HashMap<>();
          classes(connection, project).forEach(each -> ids.put(each.name(), each.id()));
          for (String name : classes) {
            if (!ids.containsKey(name)) {
              ids.put(name, addClass(connection, project, name).id());
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
    if (item(connection, project, word.item()).isEmpty()) {
      throw new StoreException(
          StoreException.Kind.NOT_FOUND, "There is no item %d.".formatted(word.item()));
    }
    if (word.classId().isPresent()) {
      requireClass(connection, project, word.classId().getAsLong());
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
        SqliteStore::change,
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

  @Override
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
                  SqliteStore::change,
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
                  SqliteStore::change,
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
                  SqliteStore::change,
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
  public int countLabels(long project) {
    return database
        .one("SELECT count(*) FROM label WHERE project = ?", row -> row.getInt(1), project)
        .orElseThrow();
  }

  @Override
  public Optional<Label> label(long project, int item) {
    return database.read(connection -> label(connection, project, item));
  }

  private static Optional<Label> label(Connection connection, long project, int item)
      throws SQLException {
    return first(
        connection,
        "SELECT item, class, change FROM label WHERE project = ? AND item = ?",
        SqliteStore::label,
        project,
        item);
  }

  @Override
  public List<Change> history(long project, int item) {
    return database.all(
        "SELECT " + CHANGE + " FROM change WHERE project = ? AND item = ? ORDER BY id",
        SqliteStore::change,
        project,
        item);
  }

  @Override
  public long lastChange(long project) {
    return database
        .one(
            "SELECT id FROM change WHERE project = ? ORDER BY id DESC LIMIT 1",
            row -> row.getLong(1),
            project)
        .orElse(0L);
  }

  @Override
  public List<Change> changes(long project) {
    return database.all(
        "SELECT " + CHANGE + " FROM change WHERE project = ? ORDER BY id",
        SqliteStore::change,
        project);
  }

  @Override
  public void addRound(long project, Round round, List<Pick> picks) {
    rounds.addRound(project, round, picks);
  }

  @Override
  public List<Round> rounds(long project) {
    return rounds.rounds(project);
  }

  @Override
  public Optional<Round> lastRound(long project) {
    return rounds.lastRound(project);
  }

  @Override
  public List<Pick> picks(long project, int round) {
    return rounds.picks(project, round);
  }

  @Override
  public List<Integer> openPicks(long project, int round) {
    return rounds.openPicks(project, round);
  }

  @Override
  public List<Integer> openTests(long project) {
    return rounds.openTests(project);
  }

  @Override
  public int labelsSinceLastRound(long project) {
    return rounds.labelsSinceLastRound(project);
  }

  @Override
  public boolean hasOpen(long project) {
    return rounds.hasOpen(project);
  }

  @Override
  public boolean isDone(long project, int round) {
    return rounds.isDone(project, round);
  }

  @Override
  public List<Integer> lend(
      long project, String annotator, List<Integer> preferred, int count, Duration howLong) {
    return leases.lend(project, annotator, preferred, count, howLong);
  }

  @Override
  public void release(long project, String annotator) {
    leases.release(project, annotator);
  }

  @Override
  public void close() {
    database.close();
  }
}
