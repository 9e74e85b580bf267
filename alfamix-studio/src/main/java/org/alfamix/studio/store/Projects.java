package org.alfamix.studio.store;

import static org.alfamix.studio.store.Database.first;
import static org.alfamix.studio.store.Database.insert;
import static org.alfamix.studio.store.Database.list;
import static org.alfamix.studio.store.Database.update;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Projects with their classes and items. */
public final class Projects {
  private final Database database;
  private final Clock clock;

  Projects(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  /**
   * Creates a project with its classes and items in one transaction.
   *
   * @throws StoreException if the name is taken
   */
  public Project create(
      String name, String source, String options, List<String> classes, List<NewItem> items) {
    return database.write(
        connection -> {
          if (named(connection, name).isPresent()) {
            throw new StoreException(
                StoreException.Kind.CONFLICT, "A project '%s' already exists.".formatted(name));
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
          return named(connection, name).orElseThrow();
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
        statement.setInt(5, items.get(i).position());
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  public List<Project> all() {
    return database.all("SELECT * FROM project ORDER BY created, id", Projects::project);
  }

  public Optional<Project> find(String name) {
    return database.read(connection -> named(connection, name));
  }

  private static Optional<Project> named(Connection connection, String name) throws SQLException {
    return first(connection, "SELECT * FROM project WHERE name = ?", Projects::project, name);
  }

  private static Project project(ResultSet row) throws SQLException {
    return new Project(
        row.getLong("id"),
        row.getString("name"),
        row.getString("source"),
        row.getString("options"),
        Instant.ofEpochMilli(row.getLong("created")));
  }

  /** Replaces the options. */
  public void setOptions(long project, String options) {
    database.write(
        connection ->
            update(connection, "UPDATE project SET options = ? WHERE id = ?", options, project));
  }

  public void delete(long project) {
    database.write(
        connection -> {
          for (String table : List.of("label", "pick", "lease", "change")) {
            update(connection, "DELETE FROM " + table + " WHERE project = ?", project);
          }
          return update(connection, "DELETE FROM project WHERE id = ?", project);
        });
  }

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

  /**
   * Appends a class.
   *
   * @throws StoreException if the name is taken
   */
  public LabelClass addClass(long project, String name) {
    return database.write(connection -> addClass(connection, project, name));
  }

  static LabelClass addClass(Connection connection, long project, String name) throws SQLException {
    List<LabelClass> there = classes(connection, project);
    if (there.stream().anyMatch(each -> each.name().equals(name))) {
      throw new StoreException(
          StoreException.Kind.CONFLICT, "A class '%s' already exists.".formatted(name));
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

  /**
   * Renames a class.
   *
   * @throws StoreException if the class does not exist or the name is taken
   */
  public void renameClass(long project, long id, String name) {
    database.write(
        connection -> {
          for (LabelClass there : classes(connection, project)) {
            if (there.name().equals(name) && there.id() != id) {
              throw new StoreException(
                  StoreException.Kind.CONFLICT, "A class '%s' already exists.".formatted(name));
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

  public int items(long project) {
    return database
        .one("SELECT count(*) FROM item WHERE project = ?", row -> row.getInt(1), project)
        .orElseThrow();
  }

  public Optional<Item> item(long project, int number) {
    return database.read(connection -> item(connection, project, number));
  }

  static Optional<Item> item(Connection connection, long project, int number) throws SQLException {
    return first(
        connection,
        "SELECT number, name, held FROM item WHERE project = ? AND number = ?",
        Projects::item,
        project,
        number);
  }

  private static Item item(ResultSet row) throws SQLException {
    return new Item(row.getInt("number"), row.getString("name"), row.getInt("held") == 1);
  }

  /** Returns all items, in order. */
  public List<Item> allItems(long project) {
    return database.all(
        "SELECT number, name, held FROM item WHERE project = ? ORDER BY number",
        Projects::item,
        project);
  }

  /** Returns the numbers of the held-out items. */
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
}
