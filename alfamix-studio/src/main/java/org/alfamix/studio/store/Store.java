package org.alfamix.studio.store;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the studio keeps. Whatever a method has returned from is on the disk: the process may be
 * killed the moment after. (Leases alone may be lost where a machine loses its power.) All methods
 * may be called by many threads.
 */
public interface Store extends AutoCloseable {

  /**
   * Makes a project with its classes and items, as a whole or not at all.
   *
   * @throws StoreException where there is one of that name
   */
  Project create(
      String name, String source, String options, List<String> classes, List<NewItem> items);

  List<Project> projects();

  Optional<Project> project(String name);

  /** Other options from now on. */
  void setOptions(long project, String options);

  void delete(long project);

  List<LabelClass> classes(long project);

  /**
   * Adds a class behind the others.
   *
   * @throws StoreException where there is one of that name
   */
  LabelClass addClass(long project, String name);

  /**
   * Calls a class something else.
   *
   * @throws StoreException where there is no such class, or one of that name
   */
  void renameClass(long project, long id, String name);

  int items(long project);

  Optional<Item> item(long project, int number);

  /** All items, in order. */
  List<Item> allItems(long project);

  /** The numbers of the items that only serve to test. */
  Set<Integer> held(long project);

  /**
   * Takes words on items, as a whole or not at all; they are durable and the items' leases are gone
   * when this returns. What is said at once is taken back at once.
   *
   * @return the changes; those of the first time where a request came before
   * @throws StoreException where there is no such item or class, or an item is leased to another
   */
  List<Change> say(long project, List<Word> words);

  /**
   * Adds classes and takes words that came with a file, as a whole or not at all; leases do not
   * count.
   *
   * @param classes the names of classes that are to be there
   * @param words what was said, by the name of a class
   */
  void imports(long project, List<String> classes, List<Imported> words, String annotator);

  /** Somebody has said before that an item is of a class. */
  record Imported(int item, String className) {}

  /**
   * Takes back the last words of an annotator that were not taken back yet.
   *
   * @return the items; none where there is nothing left to take back
   */
  List<Integer> undo(long project, String annotator, String request);

  /** What is said of items now. */
  Map<Integer, Label> labels(long project);

  /** How many items somebody has spoken of. */
  int countLabels(long project);

  Optional<Label> label(long project, int item);

  /** All that was ever said of an item, first things first. */
  List<Change> history(long project, int item);

  /** The id of the last change of a project; 0 where nothing was said yet. */
  long lastChange(long project);

  /** All changes of a project, first things first. */
  List<Change> changes(long project);

  /** A round with its batch, as a whole or not at all. */
  void addRound(long project, TrainingRound round, List<QueuedPick> picks);

  List<TrainingRound> rounds(long project);

  /** The last round, where there is one. */
  Optional<TrainingRound> lastRound(long project);

  List<QueuedPick> picks(long project, int round);

  /** The picks of a round that nobody has spoken of yet, in order. */
  List<Integer> openPicks(long project, int round);

  /** The items to test on that nobody has spoken of yet, by lot. */
  List<Integer> openTests(long project);

  /** How many labels that hold are younger than the last round. */
  int labelsSinceLastRound(long project);

  /** Whether there is an item to learn from that nobody has spoken of yet. */
  boolean hasOpen(long project);

  /** Whether every pick of a round was labelled, found unclear, or skipped since. */
  boolean isDone(long project, int round);

  /**
   * Lends items that nobody else has, nobody has spoken of yet and the annotator has not skipped
   * since the last round. What they have already counts and is lent for longer.
   *
   * @param preferred items in the order in which they should be served; the others follow by lot,
   *     those that only serve to test at the end
   * @param count how many, at most
   * @return the items, in that order
   */
  List<Integer> lend(
      long project, String annotator, List<Integer> preferred, int count, Duration howLong);

  /** Gives back what an annotator was lent. */
  void release(long project, String annotator);

  @Override
  void close();
}
