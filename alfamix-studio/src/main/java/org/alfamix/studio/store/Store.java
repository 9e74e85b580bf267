package org.alfamix.studio.store;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What the studio keeps. Whatever a method has returned from is on the disk: the process may be
 * killed the moment after. All methods may be called by many threads.
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

  int items(long project);

  Optional<Item> item(long project, int number);

  /** The numbers of the items that only serve to test. */
  Set<Integer> held(long project);

  /**
   * Takes a word on an item, which is durable and the item's lease is gone when this returns.
   *
   * @return the change; that of the first time where the request came before
   * @throws StoreException where there is no such item or class, or the item is leased to another
   */
  Change say(long project, Word word);

  /** Takes many words at once, as a whole or not at all; leases do not count. */
  int sayAll(long project, List<Word> words);

  /**
   * Takes back the last word of an annotator that was not taken back yet.
   *
   * @return the item; empty where there is nothing left to take back
   */
  OptionalInt undo(long project, String annotator, String request);

  /** What is said of items now. */
  Map<Integer, Label> labels(long project);

  Optional<Label> label(long project, int item);

  /** All that was ever said of an item, first things first. */
  List<Change> history(long project, int item);

  /** The last changes of a project, newest first. */
  List<Change> changes(long project, int most);

  /** A round with its batch, as a whole or not at all. */
  void addRound(long project, Round round, List<Pick> picks);

  List<Round> rounds(long project);

  List<Pick> picks(long project, int round);

  /**
   * Lends the first of some items that nobody else has and nobody has spoken of yet. What an
   * annotator has already counts and is lent for longer.
   *
   * @param order items in the order in which they should be served
   * @param passed items that this annotator is not to be shown
   * @param count how many, at most
   * @return the items, in that order
   */
  List<Integer> lend(
      long project,
      String annotator,
      List<Integer> order,
      Set<Integer> passed,
      int count,
      Duration howLong);

  /** The items that an annotator has skipped and not taken back. */
  Set<Integer> skipped(long project, String annotator);

  /** Gives back what an annotator was lent. */
  void release(long project, String annotator);

  @Override
  void close();
}
