package org.alfamix.studio.store;

import java.nio.file.Path;
import java.time.Clock;

/**
 * The studio's data in one SQLite file.
 *
 * <p>When a method returns, its changes are on the disk. (Only reservations may be lost in a power
 * failure.) All methods are thread-safe.
 */
public final class Store implements AutoCloseable {
  private final Database database;
  private final Projects projects;
  private final Ledger ledger;
  private final Rounds rounds;
  private final Leases leases;

  public Store(Path file, Clock clock) {
    this.database = new Database(file, "org/alfamix/studio/store");
    this.projects = new Projects(database, clock);
    this.ledger = new Ledger(database, clock);
    this.rounds = new Rounds(database);
    this.leases = new Leases(database, clock);
  }

  /** Returns the projects with their classes and items. */
  public Projects projects() {
    return projects;
  }

  /** Returns the labels and their history. */
  public Ledger ledger() {
    return ledger;
  }

  /** Returns the trained models and the batches that they selected. */
  public Rounds rounds() {
    return rounds;
  }

  /** Returns the reservations of items by annotators. */
  public Leases leases() {
    return leases;
  }

  @Override
  public void close() {
    database.close();
  }
}
