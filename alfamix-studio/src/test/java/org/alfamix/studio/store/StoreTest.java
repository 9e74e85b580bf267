package org.alfamix.studio.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreTest {
  private static final Duration LEASE = Duration.ofMinutes(5);

  @TempDir private Path folder;
  private Store store;
  private long project;
  private List<LabelClass> classes;
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  /** A clock that the test controls. */
  private final Clock clock =
      new Clock() {
        @Override
        public ZoneOffset getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(java.time.ZoneId zone) {
          return this;
        }

        @Override
        public Instant instant() {
          return now;
        }
      };

  @BeforeEach
  void open() {
    store = new Store(folder.resolve("studio.db"), clock);
    if (store.projects().find("birds").isEmpty()) {
      List<NewItem> items =
          IntStream.range(0, 10).mapToObj(i -> new NewItem(i + ".png", i >= 8, i)).toList();
      store.projects().create("birds", "{}", "{}", List.of("heron", "egret"), items);
    }
    project = store.projects().find("birds").orElseThrow().id();
    classes = store.projects().classes(project);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void reopen() {
    store.close();
    open();
  }

  private Change label(int item, int place, String who, String request) {
    return save(Answer.label(item, classes.get(place).id(), who, request));
  }

  private Change save(Answer answer) {
    return store.ledger().save(project, List.of(answer)).get(0);
  }

  private Change again(int item, int place, String who, String request) {
    return save(
        new Answer(
            item,
            Change.Action.LABEL,
            OptionalLong.of(classes.get(place).id()),
            true,
            who,
            request));
  }

  @Test
  void createsProjectsAtomically() {
    assertEquals(10, store.projects().items(project));
    assertEquals(new Item(3, "3.png", false), store.projects().item(project, 3).orElseThrow());
    assertEquals(Set.of(8, 9), store.projects().held(project));
    assertEquals(List.of("heron", "egret"), classes.stream().map(LabelClass::name).toList());
    assertThrows(
        StoreException.class,
        () ->
            store
                .projects()
                .create("birds", "{}", "{}", List.of("a"), List.of(new NewItem("x", false, 0))));
    assertThrows(
        StoreException.class,
        () -> store.projects().create("twice", "{}", "{}", List.of("a", "a"), List.of()),
        "duplicate class names");
    assertEquals(1, store.projects().all().size(), "a failed creation leaves no project");
    LabelClass stork = store.projects().addClass(project, "stork");
    assertEquals(2, stork.place());
    store.projects().delete(project);
    assertEquals(List.of(), store.projects().all());
  }

  @Test
  void theLastAnswerAppliesAndAllAreKept() {
    label(3, 0, "ada", "r1");
    StoreException late = assertThrows(StoreException.class, () -> label(3, 1, "bob", "r2"));
    assertEquals(StoreException.Kind.CONFLICT, late.kind(), "a label is only replaced on request");
    again(3, 1, "bob", "r2");
    save(Answer.of(4, Change.Action.UNCLEAR, "ada", "r3"));
    reopen();
    assertEquals(
        OptionalLong.of(classes.get(1).id()),
        store.ledger().label(project, 3).orElseThrow().classId());
    assertEquals(OptionalLong.empty(), store.ledger().label(project, 4).orElseThrow().classId());
    assertEquals(
        List.of("ada", "bob"),
        store.ledger().history(project, 3).stream().map(Change::annotator).toList());
    assertEquals(2, store.ledger().labels(project).size());
    save(Answer.of(3, Change.Action.CLEAR, "ada", "r4"));
    assertTrue(store.ledger().label(project, 3).isEmpty());
    assertEquals(3, store.ledger().history(project, 3).size());
  }

  @Test
  void countsARepeatedRequestOnce() {
    Change first = label(3, 0, "ada", "r1");
    Change second = label(3, 0, "ada", "r1");
    assertEquals(first, second);
    assertEquals(1, store.ledger().history(project, 3).size());
    assertEquals(1, store.ledger().changes(project).size());
    assertThrows(
        StoreException.class,
        () -> label(3, 1, "ada", "r1"),
        "one identifier for two different answers");
  }

  @Test
  void undoesTheLastAnswersOfAnAnnotator() {
    label(1, 0, "ada", "r1");
    label(2, 0, "bob", "r2");
    again(1, 1, "ada", "r3");
    save(Answer.of(5, Change.Action.SKIP, "ada", "r4"));
    assertEquals(false, store.leases().reserve(project, "ada", List.of(5), 1, LEASE).contains(5));
    store.leases().release(project, "ada");
    assertEquals(List.of(5), store.ledger().undo(project, "ada", "u1"));
    assertEquals(true, store.leases().reserve(project, "ada", List.of(5), 1, LEASE).contains(5));
    store.leases().release(project, "ada");
    assertEquals(List.of(1), store.ledger().undo(project, "ada", "u2"));
    assertEquals(List.of(1), store.ledger().undo(project, "ada", "u2"), "the same request");
    assertEquals(
        OptionalLong.of(classes.get(0).id()),
        store.ledger().label(project, 1).orElseThrow().classId(),
        "the previous label applies again");
    assertEquals(List.of(1), store.ledger().undo(project, "ada", "u3"));
    assertTrue(store.ledger().label(project, 1).isEmpty());
    assertEquals(List.of(), store.ledger().undo(project, "ada", "u4"));
    assertTrue(store.ledger().label(project, 2).isPresent(), "answers of others are unaffected");
    assertEquals(7, store.ledger().changes(project).size());
  }

  @Test
  void undoesJointAnswersTogether() {
    long heron = classes.get(0).id();
    store
        .ledger()
        .save(
            project,
            List.of(
                Answer.label(1, heron, "ada", "r"),
                Answer.label(2, heron, "ada", "r:1"),
                Answer.label(3, heron, "ada", "r:2")));
    assertEquals(3, store.ledger().countLabels(project));
    assertEquals(List.of(1, 2, 3), store.ledger().undo(project, "ada", "u"));
    assertEquals(List.of(1, 2, 3), store.ledger().undo(project, "ada", "u"), "the same request");
    assertEquals(0, store.ledger().countLabels(project));
    label(2, 0, "bob", "b");
    assertThrows(
        StoreException.class,
        () ->
            store
                .ledger()
                .save(
                    project,
                    List.of(
                        Answer.label(1, heron, "ada", "s"), Answer.label(2, heron, "ada", "s:1"))));
    assertEquals(1, store.ledger().countLabels(project), "all or none of the answers");
  }

  @Test
  void reservesAnItemForOneAnnotatorUntilItExpires() {
    List<Integer> order = List.of(4, 2, 7);
    assertEquals(List.of(4), store.leases().reserve(project, "ada", order, 1, LEASE));
    assertEquals(List.of(2), store.leases().reserve(project, "bob", order, 1, LEASE));
    assertEquals(
        List.of(4),
        store.leases().reserve(project, "ada", order, 1, LEASE),
        "the existing reservation");
    StoreException taken = assertThrows(StoreException.class, () -> label(4, 0, "bob", "r1"));
    assertEquals(StoreException.Kind.CONFLICT, taken.kind());
    assertEquals("Item 4 is reserved by another annotator.", taken.getMessage());
    assertEquals(
        List.of(), store.ledger().history(project, 4), "the rejected answer is not stored");
    label(4, 0, "ada", "r2");
    assertEquals(List.of(7), store.leases().reserve(project, "ada", order, 1, LEASE));
    assertEquals(
        List.of(0, 1), store.leases().reserve(project, "eve", order, 2, LEASE), "then at random");
    now = now.plus(LEASE).plusMillis(1);
    assertEquals(List.of(2), store.leases().reserve(project, "eve", order, 1, LEASE), "expired");
    assertThrows(StoreException.class, () -> label(2, 1, "bob", "r3"), "reserved by eve");
    label(7, 1, "ada", "r4");
    assertEquals(
        List.of(0, 1, 3, 5, 6, 8, 9),
        store.leases().reserve(project, "bob", order, 20, LEASE),
        "held-out items last");
    store.leases().release(project, "bob");
    assertEquals(List.of(0), store.leases().reserve(project, "ada", order, 1, LEASE));
  }

  @Test
  void aBatchIsCompleteWhenEveryPickIsAnswered() {
    store
        .rounds()
        .add(
            project,
            new TrainingRound(0, "k-means", 0, 0, 0, 0.5, now),
            List.of(
                new QueuedPick(
                    0,
                    5,
                    "first",
                    Optional.empty(),
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    "[]"),
                new QueuedPick(
                    1,
                    2,
                    "second",
                    Optional.empty(),
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    "[]")));
    assertEquals(List.of(5, 2), store.rounds().openPicks(project, 0));
    label(5, 0, "ada", "r1");
    assertEquals(List.of(2), store.rounds().openPicks(project, 0));
    assertEquals(false, store.rounds().isDone(project, 0));
    save(Answer.of(2, Change.Action.SKIP, "ada", "r2"));
    assertTrue(store.rounds().isDone(project, 0), "a skipped item counts as answered");
    assertEquals(false, store.leases().reserve(project, "ada", List.of(2), 1, LEASE).contains(2));
    now = now.plusSeconds(1);
    store.rounds().add(project, new TrainingRound(1, "alfamix", 1, 0, 0, 0.5, now), List.of());
    assertEquals(
        List.of(2),
        store.leases().reserve(project, "ada", List.of(2), 1, LEASE),
        "served again in the next round");
    assertEquals(List.of(8, 9), store.rounds().openTests(project));
  }

  @Test
  void importsLabelsAtomically() {
    label(1, 0, "ada", "r1");
    store
        .ledger()
        .importLabels(
            project,
            List.of("stork"),
            List.of(new ImportedLabel(1, "stork"), new ImportedLabel(2, "heron")),
            "file");
    assertEquals(3, store.projects().classes(project).size());
    assertEquals(2, store.ledger().countLabels(project));
    assertThrows(
        StoreException.class,
        () ->
            store
                .ledger()
                .importLabels(
                    project,
                    List.of("crane"),
                    List.of(new ImportedLabel(3, "crane"), new ImportedLabel(99, "crane")),
                    "file"));
    assertEquals(3, store.projects().classes(project).size(), "the class is not added either");
    assertEquals(2, store.ledger().countLabels(project));
    assertEquals(List.of(1), store.ledger().undo(project, "ada", "u1"));
    assertTrue(store.ledger().label(project, 1).isPresent(), "the imported label applies");
  }

  @Test
  void reportsUnknownItemsAndClasses() {
    assertEquals(
        "There is no item 99.",
        assertThrows(StoreException.class, () -> label(99, 0, "ada", "r1")).getMessage());
    assertEquals(
        "There is no class 77.",
        assertThrows(StoreException.class, () -> save(Answer.label(1, 77, "ada", "r")))
            .getMessage());
    assertThrows(IllegalArgumentException.class, () -> label(1, 0, " ", "r1"));
    assertThrows(IllegalArgumentException.class, () -> label(1, 0, "ada", "no spaces"));
  }

  @Test
  void storesRoundsWithTheirPicks() {
    TrainingRound round = new TrainingRound(0, "k-means", 0, 0, 0, 0.5, now);
    List<QueuedPick> picks =
        List.of(
            new QueuedPick(
                0, 5, "first", Optional.empty(), OptionalLong.empty(), OptionalLong.empty(), "[]"),
            new QueuedPick(
                1,
                2,
                "second",
                Optional.of(QueuedPick.Cause.UNSURE),
                OptionalLong.of(classes.get(1).id()),
                OptionalLong.of(classes.get(0).id()),
                "[1]"));
    store.rounds().add(project, round, picks);
    assertThrows(UncheckedIOException.class, () -> store.rounds().add(project, round, List.of()));
    reopen();
    assertEquals(List.of(round), store.rounds().all(project));
    assertEquals(picks, store.rounds().picks(project, 0));
  }

  /** Concurrent annotators: no item is reserved for two of them, and no label is lost. */
  @Test
  void supportsConcurrentAnnotators() throws Exception {
    List<NewItem> items =
        IntStream.range(0, 200).mapToObj(i -> new NewItem("" + i, false, i)).toList();
    long large = store.projects().create("large", "{}", "{}", List.of("a", "b"), items).id();
    long someClass = store.projects().classes(large).get(0).id();
    List<Integer> order = IntStream.range(0, 200).boxed().toList();
    ExecutorService threads = Executors.newFixedThreadPool(8);
    List<Future<List<Integer>>> work = new ArrayList<>();
    for (int a = 0; a < 8; a++) {
      String who = "annotator-" + a;
      Callable<List<Integer>> annotator =
          () -> {
            List<Integer> mine = new ArrayList<>();
            List<Integer> reserved;
            while (!(reserved = store.leases().reserve(large, who, order, 3, LEASE)).isEmpty()) {
              int item = reserved.get(0);
              store
                  .ledger()
                  .save(large, List.of(Answer.label(item, someClass, who, who + "-" + item)));
              mine.add(item);
            }
            return mine;
          };
      work.add(threads.submit(annotator));
    }
    Set<Integer> all = new HashSet<>();
    int count = 0;
    for (Future<List<Integer>> each : work) {
      all.addAll(each.get());
      count += each.get().size();
    }
    threads.shutdown();
    assertEquals(200, count, "every item is labelled once");
    assertEquals(200, all.size());
    assertEquals(200, store.ledger().labels(large).size());
  }

  @Test
  void requestIdentifiersBelongToAnAnnotatorAndAProject() {
    label(1, 0, "ada", "r1");
    label(2, 0, "bob", "r1");
    long other =
        store
            .projects()
            .create("other", "{}", "{}", List.of("x"), List.of(new NewItem("a", false, 0)))
            .id();
    store
        .ledger()
        .save(
            other,
            List.of(Answer.label(0, store.projects().classes(other).get(0).id(), "ada", "r1")));
    assertEquals(1, store.ledger().countLabels(other), "the same identifier in another project");
    assertEquals(2, store.ledger().countLabels(project));
    assertThrows(
        StoreException.class,
        () -> store.ledger().undo(project, "ada", "r1"),
        "the identifier of an answer");
    for (String name : List.of("*", "[a", "", "a b", "x".repeat(101))) {
      assertThrows(
          IllegalArgumentException.class, () -> store.ledger().undo(project, "ada", name), name);
    }
    assertEquals(2, store.ledger().countLabels(project));
  }

  @Test
  void neverReusesIds() {
    long id = store.projects().create("gone", "{}", "{}", List.of("x"), List.of()).id();
    long classId = store.projects().classes(id).get(0).id();
    store.projects().delete(id);
    long next = store.projects().create("gone", "{}", "{}", List.of("x"), List.of()).id();
    assertTrue(next > id);
    assertTrue(store.projects().classes(next).get(0).id() > classId);
  }

  @Test
  void countsLabelsSinceTheLastRound() {
    label(1, 0, "ada", "r1");
    assertEquals(1, store.rounds().labelsSinceLastRound(project));
    store.rounds().add(project, new TrainingRound(0, "alfamix", 1, 0, 0, 0.5, now), List.of());
    assertEquals(0, store.rounds().labelsSinceLastRound(project));
    label(2, 0, "ada", "r2");
    save(Answer.of(3, Change.Action.UNCLEAR, "ada", "r3"));
    assertEquals(1, store.rounds().labelsSinceLastRound(project), "unclear items do not count");
    assertEquals(0, store.rounds().last(project).orElseThrow().number());
    assertTrue(store.rounds().hasOpen(project));
  }
}
