package org.alfamix.studio.store;

import static org.alfamix.studio.store.Database.update;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Rounds in an SQLite file: the selected batches and their open items. */
public final class Rounds {
  private final Database database;

  Rounds(Database database) {
    this.database = database;
  }

  /** Stores a round with its batch in one transaction. */
  public void add(long project, TrainingRound round, List<QueuedPick> picks) {
    database.write(
        connection -> {
          update(
              connection,
              "INSERT INTO round (project, number, method, labels, tested, correct, seconds, at,"
                  + " change) VALUES (?, ?, ?, ?, ?, ?, ?, ?, (SELECT coalesce(max(id), 0) FROM"
                  + " change WHERE project = ?))",
              project,
              round.number(),
              round.method(),
              round.labels(),
              round.tested(),
              round.correct(),
              round.seconds(),
              round.at().toEpochMilli(),
              project);
          for (QueuedPick pick : picks) {
            update(
                connection,
                "INSERT INTO pick (project, round, rank, item, reason, cause, predicted,"
                    + " alternative, near) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                project,
                round.number(),
                pick.rank(),
                pick.item(),
                pick.reason(),
                pick.cause().map(Enum::name).orElse(null),
                orNull(pick.predicted()),
                orNull(pick.alternative()),
                pick.near());
          }
          return null;
        });
  }

  private static Long orNull(OptionalLong value) {
    return value.isPresent() ? value.getAsLong() : null;
  }

  public List<TrainingRound> all(long project) {
    return database.all(
        "SELECT * FROM round WHERE project = ? ORDER BY number", Rounds::round, project);
  }

  /** Returns the last round, if there is one. */
  public Optional<TrainingRound> last(long project) {
    return database.one(
        "SELECT * FROM round WHERE project = ? ORDER BY number DESC LIMIT 1",
        Rounds::round,
        project);
  }

  private static TrainingRound round(ResultSet row) throws SQLException {
    return new TrainingRound(
        row.getInt("number"),
        row.getString("method"),
        row.getInt("labels"),
        row.getInt("tested"),
        row.getInt("correct"),
        row.getDouble("seconds"),
        Instant.ofEpochMilli(row.getLong("at")));
  }

  public List<QueuedPick> picks(long project, int round) {
    return database.all(
        "SELECT rank, item, reason, cause, predicted, alternative, near FROM pick WHERE project"
            + " = ? AND round = ? ORDER BY rank",
        row ->
            new QueuedPick(
                row.getInt("rank"),
                row.getInt("item"),
                row.getString("reason"),
                Optional.ofNullable(row.getString("cause")).map(QueuedPick.Cause::valueOf),
                Ledger.optional(row, "predicted"),
                Ledger.optional(row, "alternative"),
                row.getString("near")),
        project,
        round);
  }

  /** Returns the picks of a round that are not answered yet, in order. */
  public List<Integer> openPicks(long project, int round) {
    return database.all(
        "SELECT item FROM pick p WHERE project = ? AND round = ? AND NOT EXISTS (SELECT 1"
            + " FROM label l WHERE l.project = p.project AND l.item = p.item) ORDER BY"
            + " rank",
        row -> row.getInt(1),
        project,
        round);
  }

  /** Returns the unlabelled held-out items, in random order. */
  public List<Integer> openTests(long project) {
    return database.all(
        "SELECT number FROM item i WHERE project = ? AND held = 1 AND NOT EXISTS (SELECT 1"
            + " FROM label l WHERE l.project = i.project AND l.item = i.number) ORDER BY"
            + " lot",
        row -> row.getInt(1),
        project);
  }

  /** Returns the number of current labels that are newer than the last round. */
  public int labelsSinceLastRound(long project) {
    return database
        .one(
            "SELECT count(*) FROM label WHERE project = ? AND class IS NOT NULL AND change"
                + " > (SELECT coalesce(max(change), 0) FROM round WHERE project = ?)",
            row -> row.getInt(1),
            project,
            project)
        .orElseThrow();
  }

  /** Returns whether a training item is unanswered. */
  public boolean hasOpen(long project) {
    return database
        .one(
            "SELECT 1 FROM item i WHERE project = ? AND held = 0 AND NOT EXISTS (SELECT 1"
                + " FROM label l WHERE l.project = i.project AND l.item = i.number) LIMIT"
                + " 1",
            row -> row.getInt(1),
            project)
        .isPresent();
  }

  /** Returns whether every pick of a round has been labelled, marked unclear or skipped. */
  public boolean isDone(long project, int round) {
    return database
        .all(
            "SELECT 1 FROM pick p WHERE p.project = ? AND p.round = ? AND NOT EXISTS"
                + " (SELECT 1 FROM label l WHERE l.project = p.project AND l.item = p.item)"
                + " AND NOT EXISTS (SELECT 1 FROM change c WHERE c.project = p.project AND"
                + " c.item = p.item AND c.action = 'skip' AND c.id > (SELECT change FROM"
                + " round r WHERE r.project = p.project AND r.number = p.round) AND NOT"
                + " EXISTS (SELECT 1 FROM change u WHERE u.undoes = c.id)) LIMIT 1",
            row -> row.getInt(1),
            project,
            round)
        .isEmpty();
  }
}
