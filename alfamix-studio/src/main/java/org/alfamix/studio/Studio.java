package org.alfamix.studio;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.alfamix.io.DataException;
import org.alfamix.math.RandomIndices;
import org.alfamix.math.Seeds;
import org.alfamix.studio.engine.Desk;
import org.alfamix.studio.engine.ProjectOptions;
import org.alfamix.studio.engine.Workshop;
import org.alfamix.studio.source.ItemSource;
import org.alfamix.studio.source.SourceSpec;
import org.alfamix.studio.store.Change;
import org.alfamix.studio.store.ImportedLabel;
import org.alfamix.studio.store.Item;
import org.alfamix.studio.store.LabelClass;
import org.alfamix.studio.store.NewItem;
import org.alfamix.studio.store.Project;
import org.alfamix.studio.store.QueuedPick;
import org.alfamix.studio.store.Store;
import org.alfamix.studio.store.StoreException;
import org.alfamix.studio.store.Word;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All projects of a folder, and what can be done with them: what pages and programs ask for. */
public final class Studio implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Studio.class);
  private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{N}._-]{0,79}");
  private static final int LONGEST_CLASS = 80;
  private static final int HELD = 0;
  private static final int LOTS = 4;

  /** At most that many items, and at most a tenth of all, are held out to test on. */
  private static final int MOST_HELD = 200;

  private final Store store;
  private final Desk desk;
  private final Path dataFolder;
  private final Clock clock;
  private final Map<Long, Workshop> workshops = new ConcurrentHashMap<>();

  /**
   * Opens a folder, which is made where it is not there.
   *
   * @param dataFolder where data sets that have a name are kept
   */
  public Studio(Path folder, Path dataFolder, Clock clock) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(folder + ": cannot be written: " + e.getMessage(), e);
    }
    this.store = new Store(folder.resolve("studio.db"), clock);
    this.desk = new Desk(store);
    this.dataFolder = dataFolder;
    this.clock = clock;
  }

  public Store store() {
    return store;
  }

  /**
   * Makes a project.
   *
   * @return what was left out of the source, in words
   */
  public List<String> create(
      String name, SourceSpec source, ProjectOptions options, List<String> classes) {
    if (!NAME.matcher(name).matches()) {
      throw new DataException(
          "A project cannot be called '%s': expected letters, digits, '.', '_' and '-'."
              .formatted(name));
    }
    classes.forEach(Studio::requireClassName);
    try (ItemSource items = source.open(dataFolder)) {
      Workshop.requireSuits(options.features(), items);
      List<String> names = items.names();
      int size = names.size();
      Set<Integer> held = held(size, options);
      int[] lots = RandomIndices.distinct(size, size, Seeds.at(options.seed(), LOTS, 0));
      List<NewItem> all = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        all.add(new NewItem(names.get(i), held.contains(i), lots[i]));
      }
      store.projects().create(name, source.withDigest().toJson(), options.toJson(), classes, all);
      return items.leftOut();
    }
  }

  private static Set<Integer> held(int size, ProjectOptions options) {
    int count = options.testEvery() == 0 ? 0 : Math.min(MOST_HELD, size / 10);
    Set<Integer> held = new HashSet<>();
    for (int item : RandomIndices.distinct(size, count, Seeds.at(options.seed(), HELD, 0))) {
      held.add(item);
    }
    return held;
  }

  /**
   * Fails where a class cannot be called so.
   *
   * @throws DataException that says why
   */
  public static void requireClassName(String name) {
    boolean printable = name.codePoints().noneMatch(Character::isISOControl);
    if (name.isBlank()
        || !name.equals(name.strip())
        || name.length() > LONGEST_CLASS
        || !printable) {
      throw new DataException(
          "A class cannot be called '%s': expected 1 to %d characters without blanks around."
              .formatted(name, LONGEST_CLASS));
    }
  }

  public LabelClass addClass(Project project, String name) {
    requireClassName(name);
    return store.projects().addClass(project.id(), name);
  }

  public void renameClass(Project project, long id, String name) {
    requireClassName(name);
    store.projects().renameClass(project.id(), id, name);
  }

  /** Takes labels that came with a file, as a whole or not at all. */
  public void imports(
      Project project, List<String> classes, List<ImportedLabel> words, String annotator) {
    store.ledger().imports(project.id(), classes, words, annotator);
    Workshop workshop = workshops.get(project.id());
    if (workshop != null) {
      workshop.train();
    }
  }

  /**
   * A project by its name.
   *
   * @throws StoreException where there is none
   */
  public Project project(String name) {
    return store
        .projects()
        .find(name)
        .orElseThrow(
            () ->
                new StoreException(
                    StoreException.Kind.NOT_FOUND, "There is no project '%s'.".formatted(name)));
  }

  /**
   * What works on a project; begins where it was.
   *
   * @throws StoreException where the project is gone
   */
  public Workshop workshop(Project project) {
    return workshops.computeIfAbsent(
        project.id(),
        id -> {
          project(project.name()); // or it says so: a deleted one is not opened again
          return new Workshop(store, project, dataFolder, clock);
        });
  }

  /**
   * The items of a project alone, for whoever does not want a model; to be closed.
   *
   * @throws DataException where they cannot be read
   */
  public ItemSource source(Project project) {
    List<String> known = store.projects().allItems(project.id()).stream().map(Item::name).toList();
    return SourceSpec.parse(project.source()).open(dataFolder, known);
  }

  /**
   * The next items for an annotator, lent to them.
   *
   * @param first items to begin with, where they can be had
   */
  public List<Integer> next(Project project, String annotator, int count, List<Integer> first) {
    Word.requireAnnotator(annotator);
    Workshop workshop = workshop(project);
    workshop.wake(); // labels may have come from elsewhere, as with a file
    return desk.next(project, workshop, annotator, count, first);
  }

  /** Takes words, as a whole or not at all; they are durable when this returns. */
  public List<Change> say(Project project, List<Word> words) {
    Workshop workshop = workshop(project); // or it fails before anything is kept
    List<Change> changes = store.ledger().say(project.id(), words);
    workshop.wake();
    return changes;
  }

  /** Takes back the last words of an annotator; the items. */
  public List<Integer> undo(Project project, String annotator, String request) {
    Workshop workshop = workshop(project);
    List<Integer> items = store.ledger().undo(project.id(), annotator, request);
    workshop.wake();
    return items;
  }

  /**
   * An item of a project.
   *
   * @param number as somebody has written it
   * @throws StoreException where there is none
   */
  public Item item(Project project, String number) {
    Optional<Item> found =
        number.matches("\\d{1,9}")
            ? store.projects().item(project.id(), Integer.parseInt(number))
            : Optional.empty();
    return found.orElseThrow(
        () ->
            new StoreException(
                StoreException.Kind.NOT_FOUND, "There is no item '%s'.".formatted(number)));
  }

  /** The pick of an item in the last batch, where it is one. */
  public Optional<QueuedPick> pick(Project project, int item) {
    return Optional.ofNullable(picks(project).get(item));
  }

  /** The picks of the last batch, by item. */
  public Map<Integer, QueuedPick> picks(Project project) {
    Map<Integer, QueuedPick> picks = new HashMap<>();
    store
        .rounds()
        .last(project.id())
        .ifPresent(
            last ->
                store
                    .rounds()
                    .picks(project.id(), last.number())
                    .forEach(pick -> picks.put(pick.item(), pick)));
    return picks;
  }

  /**
   * Goes on with what was being done when the last process ended: projects whose next batch is due
   * are trained, before anybody asks for them. A project that cannot be opened is left alone.
   */
  public void resume() {
    for (Project project : store.projects().all()) {
      if (store.rounds().last(project.id()).isPresent()) {
        try {
          workshop(project);
        } catch (DataException e) {
          LOG.warn("Project {} cannot be opened: {}", project.name(), e.getMessage());
        }
      }
    }
  }

  public void setOptions(Project project, ProjectOptions options) {
    store.projects().setOptions(project.id(), options.toJson());
    workshop(project).wake();
  }

  public void delete(Project project) {
    // Gone from the store before anybody can open it again.
    workshops.compute(
        project.id(),
        (id, workshop) -> {
          store.projects().delete(project.id());
          if (workshop != null) {
            workshop.close();
          }
          return null;
        });
  }

  /** How many items there are of each class, by the id of the class. */
  public Map<Long, Long> balance(Project project) {
    return store.ledger().labels(project.id()).values().stream()
        .filter(label -> label.classId().isPresent())
        .collect(
            Collectors.groupingBy(label -> label.classId().getAsLong(), Collectors.counting()));
  }

  @Override
  public void close() {
    workshops.values().forEach(Workshop::close);
    store.close();
  }
}
