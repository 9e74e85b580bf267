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
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.alfamix.math.RandomIndices;
import org.alfamix.math.Seeds;
import org.alfamix.studio.engine.ItemAssigner;
import org.alfamix.studio.engine.ProjectOptions;
import org.alfamix.studio.engine.ProjectWorker;
import org.alfamix.studio.source.ItemSource;
import org.alfamix.studio.source.SourceSpec;
import org.alfamix.studio.store.Answer;
import org.alfamix.studio.store.Change;
import org.alfamix.studio.store.ImportedLabel;
import org.alfamix.studio.store.Item;
import org.alfamix.studio.store.LabelClass;
import org.alfamix.studio.store.NewItem;
import org.alfamix.studio.store.Project;
import org.alfamix.studio.store.QueuedPick;
import org.alfamix.studio.store.Store;
import org.alfamix.studio.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The projects of a folder and the operations on them, for pages and programs. */
public final class Studio implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Studio.class);
  private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{N}._-]{0,79}");
  private static final int MAX_CLASS_LENGTH = 80;
  private static final int HELD = 0;
  private static final int ORDER = 4;

  /** The largest number of held-out items; at most a tenth of all items are held out, too. */
  private static final int MAX_HELD = 200;

  private final Store store;
  private final ItemAssigner assigner;
  private final Path dataFolder;
  private final Clock clock;
  private final Map<Long, ProjectWorker> workers = new ConcurrentHashMap<>();

  /**
   * Opens a folder and creates it if it is missing.
   *
   * @param dataFolder the folder of the named data sets
   */
  public Studio(Path folder, Path dataFolder, Clock clock) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(folder + ": cannot be written: " + e.getMessage(), e);
    }
    this.store = new Store(folder.resolve("studio.db"), clock);
    this.assigner = new ItemAssigner(store);
    this.dataFolder = dataFolder;
    this.clock = clock;
  }

  public Store store() {
    return store;
  }

  /**
   * Creates a project.
   *
   * @return remarks on the source, such as files that were skipped
   */
  public List<String> create(
      String name, SourceSpec source, ProjectOptions options, List<String> classes) {
    if (!NAME.matcher(name).matches()) {
      throw new InvalidRequestException(
          "Invalid project name '%s': expected letters, digits, '.', '_' and '-'.".formatted(name));
    }
    classes.forEach(Studio::requireClassName);
    try (ItemSource items = source.open(dataFolder)) {
      ProjectWorker.checkCompatible(options.features(), items);
      List<String> names = items.names();
      int size = names.size();
      Set<Integer> held = held(size, options);
      int[] positions = RandomIndices.distinct(size, size, Seeds.at(options.seed(), ORDER, 0));
      List<NewItem> all = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        all.add(new NewItem(names.get(i), held.contains(i), positions[i]));
      }
      store.projects().create(name, source.withDigest().toJson(), options.toJson(), classes, all);
      List<String> remarks = new ArrayList<>(items.remarks());
      items.skipped().forEach(each -> remarks.add("skipped: " + each));
      return remarks;
    }
  }

  private static Set<Integer> held(int size, ProjectOptions options) {
    int count = options.testEvery() == 0 ? 0 : Math.min(MAX_HELD, size / 10);
    Set<Integer> held = new HashSet<>();
    for (int item : RandomIndices.distinct(size, count, Seeds.at(options.seed(), HELD, 0))) {
      held.add(item);
    }
    return held;
  }

  /**
   * Validates the name of a class.
   *
   * @throws InvalidRequestException if the name is invalid
   */
  public static void requireClassName(String name) {
    boolean printable = name.codePoints().noneMatch(Character::isISOControl);
    if (name.isBlank()
        || !name.equals(name.strip())
        || name.length() > MAX_CLASS_LENGTH
        || !printable) {
      throw new InvalidRequestException(
          "Invalid class name '%s': expected 1 to %d printable characters, without spaces at its ends."
              .formatted(name, MAX_CLASS_LENGTH));
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

  /** Imports the labels of a file, all or none. */
  public void importLabels(
      Project project, List<String> classes, List<ImportedLabel> labels, String annotator) {
    store.ledger().importLabels(project.id(), classes, labels, annotator);
    ProjectWorker worker = workers.get(project.id());
    if (worker != null) {
      worker.train();
    }
  }

  /**
   * Returns a project by its name.
   *
   * @throws StoreException if it does not exist
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
   * Returns the background of a project and starts it if necessary.
   *
   * @throws StoreException if the project was deleted, or its files cannot be read
   */
  public ProjectWorker worker(Project project) {
    return workers.computeIfAbsent(
        project.id(),
        id -> {
          project(project.name()); // fails for a deleted project, which must not be opened again
          try {
            return new ProjectWorker(store, project, dataFolder, clock);
          } catch (DataException e) {
            throw StoreException.unreadable(e);
          }
        });
  }

  /**
   * Opens the items of a project without a model; the caller closes them.
   *
   * @throws DataException if they cannot be read
   */
  public ItemSource source(Project project) {
    List<String> known = store.projects().allItems(project.id()).stream().map(Item::name).toList();
    return SourceSpec.parse(project.source()).open(dataFolder, known);
  }

  /**
   * Reserves the next items for an annotator.
   *
   * @param first items to start with, if they are available
   */
  public List<Integer> next(Project project, String annotator, int count, List<Integer> first) {
    Answer.requireAnnotator(annotator);
    ProjectWorker worker = worker(project);
    worker.wake(); // labels may have been imported
    return assigner.next(project, worker, annotator, count, first);
  }

  /** Stores answers, all or none; they are durable when this method returns. */
  public List<Change> save(Project project, List<Answer> answers) {
    ProjectWorker worker = worker(project); // validate before anything is stored
    List<Change> changes = store.ledger().save(project.id(), answers);
    worker.wake();
    return changes;
  }

  /** Undoes the last answers of an annotator and returns their items. */
  public List<Integer> undo(Project project, String annotator, String request) {
    ProjectWorker worker = worker(project);
    List<Integer> items = store.ledger().undo(project.id(), annotator, request);
    worker.wake();
    return items;
  }

  /**
   * Returns an item of a project.
   *
   * @param number the number as text
   * @throws StoreException if it does not exist
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

  /** Returns the pick of an item in the last batch, if it is one. */
  public Optional<QueuedPick> pick(Project project, int item) {
    return Optional.ofNullable(picks(project).get(item));
  }

  /** Returns the picks of the last batch by item. */
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
   * Resumes the work that was interrupted when the last process ended: projects whose next batch is
   * due are trained at once. A project that cannot be opened is skipped.
   */
  public void resume() {
    for (Project project : store.projects().all()) {
      if (store.rounds().last(project.id()).isPresent()) {
        try {
          worker(project);
        } catch (StoreException e) {
          LOG.warn("Project {} cannot be opened: {}", project.name(), e.getMessage());
        }
      }
    }
  }

  public void setOptions(Project project, ProjectOptions options) {
    String features = options.features();
    // Pages and programs must not make this process read any folder.
    if (!ProjectOptions.FEATURES.contains(features)
        && !features.equals(ProjectOptions.parse(project.options()).features())) {
      throw new InvalidRequestException(
          "features", "is a folder, which can be set only when the project is created.");
    }
    ProjectWorker.checkCompatible(features, worker(project).source());
    store.projects().setOptions(project.id(), options.toJson());
    worker(project).wake();
  }

  public void delete(Project project) {
    // Removed from the store first, so that it cannot be opened again.
    workers.compute(
        project.id(),
        (id, worker) -> {
          store.projects().delete(project.id());
          if (worker != null) {
            worker.close();
          }
          return null;
        });
  }

  /** Returns the number of items of each class by the id of the class. */
  public Map<Long, Long> balance(Project project) {
    return store.ledger().labels(project.id()).values().stream()
        .filter(label -> label.classId().isPresent())
        .collect(
            Collectors.groupingBy(label -> label.classId().getAsLong(), Collectors.counting()));
  }

  @Override
  public void close() {
    workers.values().forEach(ProjectWorker::close);
    store.close();
  }
}
