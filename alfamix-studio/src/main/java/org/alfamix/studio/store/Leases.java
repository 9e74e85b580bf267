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

/** Who has which item, in an SQLite file. */
public final class Leases {
  /** Whether an item cannot be lent; asks for the project, that and who, that and who. */
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
   * Lends items that nobody else has, nobody has spoken of yet and the annotator has not skipped
   * since the last round. What they have already counts and is lent for longer.
   *
   * @param preferred items in the order in which they should be served; the others follow at
   *     random, those that only serve to test at the end
   * @param count how many, at most
   * @return the items, in that order
   */
  public List<Integer> lend(
      long project, String annotator, List<Integer> preferred, int count, Duration howLong) {
    return database.jot(
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
            free.addAll(byLot(connection, project, annotator, count));
          }
          List<Integer> lent = free.stream().limit(count).toList();
          for (int item : lent) {
            update(
                connection,
                "INSERT INTO lease (project, item, annotator, until) VALUES (?, ?, ?, ?) ON"
                    + " CONFLICT (project, item) DO UPDATE SET until = excluded.until",
                project,
                item,
                annotator,
                now + howLong.toMillis());
          }
          return lent;
        });
  }

  /** What of some items cannot be lent to an annotator: spoken of, with others, or skipped. */
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

  /** The next items in random order, at most twice as many as requested. */
  private static List<Integer> byLot(
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

  /** Gives back what an annotator was lent. */
  public void release(long project, String annotator) {
    database.jot(
        connection ->
            update(
                connection,
                "DELETE FROM lease WHERE project = ? AND annotator = ?",
                project,
                annotator));
  }
}
