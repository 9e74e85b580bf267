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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The store in one SQLite file. */
public final class SqliteStore implements Store {
  private final Database database;
  private final Ledger ledger;
  private final Rounds rounds;
  private final Leases leases;
  private final Clock clock;

  public SqliteStore(Path file, Clock clock) {
    this.database = new Database(file, "org/alfamix/studio/store");
    this.ledger = new Ledger(database, clock);
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

  static List<LabelClass> classes(Connection connection, long project) throws SQLException {
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

  static LabelClass addClass(Connection connection, long project, String name) throws SQLException {
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

  static void requireClass(Connection connection, long project, long id) throws SQLException {
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

  static Optional<Item> item(Connection connection, long project, int number) throws SQLException {
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
    return ledger.say(project, words);
  }

  @Override
  public void imports(long project, List<String> classes, List<Imported> words, String annotator) {
    ledger.imports(project, classes, words, annotator);
  }

  @Override
  public List<Integer> undo(long project, String annotator, String request) {
    return ledger.undo(project, annotator, request);
  }

  @Override
  public Map<Integer, Label> labels(long project) {
    return ledger.labels(project);
  }

  @Override
  public int countLabels(long project) {
    return ledger.countLabels(project);
  }

  @Override
  public Optional<Label> label(long project, int item) {
    return ledger.label(project, item);
  }

  @Override
  public List<Change> history(long project, int item) {
    return ledger.history(project, item);
  }

  @Override
  public long lastChange(long project) {
    return ledger.lastChange(project);
  }

  @Override
  public List<Change> changes(long project) {
    return ledger.changes(project);
  }

  @Override
  public void addRound(long project, TrainingRound round, List<QueuedPick> picks) {
    rounds.addRound(project, round, picks);
  }

  @Override
  public List<TrainingRound> rounds(long project) {
    return rounds.rounds(project);
  }

  @Override
  public Optional<TrainingRound> lastRound(long project) {
    return rounds.lastRound(project);
  }

  @Override
  public List<QueuedPick> picks(long project, int round) {
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
