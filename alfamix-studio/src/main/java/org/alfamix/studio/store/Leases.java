package org.alfamix.studio.store;

import static org.alfamix.studio.store.Database.list;
import static org.alfamix.studio.store.Database.update;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Reservations of items by annotators, in an SQLite file. */
public final class Leases {
  /** Whether an item cannot be reserved. Parameters: project, then project and annotator twice. */
  private static final String TAKEN =
      "EXISTS (SELECT 1 FROM label WHERE project = ? AND item = %1$s) OR EXISTS (SELECT 1 FROM"
          + " lease WHERE project = ? AND item = %1$s AND annotator <> ?) OR EXISTS (SELECT 1 FROM"
          + " change c WHERE c.project = ? AND c.item = %1$s AND c.annotator = ? AND c.action ="
          + " 'skip' AND c.id > (SELECT coalesce(max(change), 0) FROM round r WHERE r.project ="
          + " c.project) AND NOT EXISTS (SELECT 1 FROM change u WHERE u.undoes = c.id))";

  private final Database database;
  private final Clock clock;

  Leases(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  /**
   * Reserves items that are unlabelled, not reserved by others and not skipped by the annotator
   * since the last round. The annotator's existing reservations count and are extended.
   *
   * @param preferred items in the order in which they should be served; the others follow at
   *     random, held-out ones last
   * @param count the largest number of items
   * @return the items, in that order
   */
  public List<Integer> reserve(
      long project, String annotator, List<Integer> preferred, int count, Duration duration) {
    return database.writeWithoutSync(
        connection -> {
          long now = clock.millis();
          update(connection, "DELETE FROM lease WHERE project = ? AND until <= ?", project, now);
          Set<Integer> taken = taken(connection, project, annotator, preferred);
          Set<Integer> free =
              preferred.stream()
                  .filter(item -> !taken.contains(item))
                  .distinct()
                  .limit(count)
                  .collect(Collectors.toCollection(LinkedHashSet::new));
          if (free.size() < count) {
            free.addAll(atRandom(connection, project, annotator, count));
          }
          List<Integer> reserved = free.stream().limit(count).toList();
          for (int item : reserved) {
            update(
                connection,
                "INSERT INTO lease (project, item, annotator, until) VALUES (?, ?, ?, ?) ON"
                    + " CONFLICT (project, item) DO UPDATE SET until = excluded.until",
                project,
                item,
                annotator,
                now + duration.toMillis());
          }
          return reserved;
        });
  }

  /**
   * Returns those items that cannot be reserved for an annotator: labelled, reserved by others, or
   * skipped.
   */
  private static Set<Integer> taken(
      Connection connection, long project, String annotator, List<Integer> items)
      throws SQLException {
    return new HashSet<>(
        list(
            connection,
            "SELECT value FROM json_each(?) WHERE " + TAKEN.formatted("value"),
            row -> row.getInt(1),
            items.stream().map(String::valueOf).collect(Collectors.joining(",", "[", "]")),
            project,
            project,
            annotator,
            project,
            annotator));
  }

  /** Returns the next items in random order, at most twice as many as requested. */
  private static List<Integer> atRandom(
      Connection connection, long project, String annotator, int count) throws SQLException {
    return list(
        connection,
        "SELECT number FROM item WHERE project = ? AND NOT ("
            + TAKEN.formatted("number")
            + ") ORDER BY held, lot LIMIT ?",
        row -> row.getInt(1),
        project,
        project,
        project,
        annotator,
        project,
        annotator,
        2 * count);
  }

  /** Releases the reservations of an annotator. */
  public void release(long project, String annotator) {
    database.writeWithoutSync(
        connection ->
            update(
                connection,
                "DELETE FROM lease WHERE project = ? AND annotator = ?",
                project,
                annotator));
  }
}
