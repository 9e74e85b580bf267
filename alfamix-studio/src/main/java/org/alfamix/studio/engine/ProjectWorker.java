package org.alfamix.studio.engine;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.alfamix.datasets.ClipOptions;
import org.alfamix.datasets.Fetcher;
import org.alfamix.datasets.InputShape;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.alfamix.learn.LearnerEngine;
import org.alfamix.learn.embed.BackboneName;
import org.alfamix.learn.embed.Backbones;
import org.alfamix.learn.embed.NgramFeatures;
import org.alfamix.learn.embed.TextFeatures;
import org.alfamix.learn.embed.TextModel;
import org.alfamix.learn.weights.PublishedWeights;
import org.alfamix.learn.weights.WeightsFolder;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Parallel;
import org.alfamix.studio.source.ItemSource;
import org.alfamix.studio.source.ModelInput;
import org.alfamix.studio.source.SourceSpec;
import org.alfamix.studio.store.Item;
import org.alfamix.studio.store.Project;
import org.alfamix.studio.store.Store;
import org.alfamix.studio.store.TrainingRound;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The background work of one project: computes features, trains and selects, one task at a time, on
 * its own thread. Annotators never wait for it.
 *
 * <p>A round exists once it is in the store. If a process is killed during training, the next
 * process trains again on the same labels.
 */
public final class ProjectWorker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProjectWorker.class);

  /**
   * Current background work.
   *
   * @param failure the reason why the last attempt failed; empty if it did not
   */
  public record State(boolean busy, Activity activity, String failure) {}

  /**
   * A kind of background work, described on pages by the text {@code activity.KEY}.
   *
   * @param values replace the placeholders of the text
   */
  public record Activity(String key, List<Object> values) {
    static Activity of(String key, Object... values) {
      return new Activity(key, List.of(values));
    }
  }

  /** Up to this many pixels, a logistic regression is as accurate as a network. */
  private static final int TINY = 16 * 16;

  /** A network for images only. */
  private static final String IMAGE_NETWORK = "lenet5";

  /** The shortest time before failed work is retried. */
  private static final Duration RETRY_DELAY = Duration.ofSeconds(30);

  /** Only one project trains at a time; annotators of the others do not wait. */
  private static final Semaphore TRAINING = new Semaphore(1);

  /** One processor is reserved for answering requests. */
  private static final int THREADS = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);

  private final Store store;
  private final Clock clock;
  private final ItemSource source;
  private final Path dataFolder;
  private final long projectId;
  private final String name;
  private final ExecutorService thread;
  private final AtomicBoolean requested = new AtomicBoolean();
  private final AtomicBoolean queued = new AtomicBoolean();
  private volatile State state = new State(true, Activity.of("reading"), "");
  private volatile TrainingResult batch;
  private volatile boolean closed;
  private Instant failedAt = Instant.MIN;
  private volatile Model model;
  private volatile TextModel textModel;
  private String modelOf = "";

  public ProjectWorker(Store store, Project project, Path dataFolder, Clock clock) {
    this.store = store;
    this.dataFolder = dataFolder;
    this.clock = clock;
    this.projectId = project.id();
    this.name = project.name();
    List<String> known = store.projects().allItems(projectId).stream().map(Item::name).toList();
    this.source = SourceSpec.parse(project.source()).open(dataFolder, known);
    if (source.names().size() != known.size()) {
      throw new DataException(
          "The project '%s' has %d items, but its source has %d now."
              .formatted(name, known.size(), source.names().size()));
    }
    this.thread =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread worker = new Thread(task, "alfamix-studio-" + name);
              worker.setDaemon(true);
              worker.setPriority(Thread.MIN_PRIORITY);
              return worker;
            });
    wake();
  }

  public ItemSource source() {
    return source;
  }

  public State state() {
    return state;
  }

  /** The result of the last round, if there was one since the start. */
  Optional<TrainingResult> batch() {
    return Optional.ofNullable(batch);
  }

  /**
   * Words that speak for the predicted class of a text.
   *
   * @param predicted the place of the class
   * @param spans the start and the end of each word, in the order of the text
   */
  public record Highlights(int predicted, List<int[]> spans) {}

  /** Returns the words that speak for the predicted class of a text, once a model is trained. */
  public Optional<Highlights> highlights(String text) {
    TextModel features = textModel;
    if (features == null || !(model instanceof FixedModel trained) || !trained.isTrained()) {
      return Optional.empty();
    }
    WordImportance.Words words =
        new WordImportance(texts -> trained.probabilities(features.of(texts)).orElseThrow())
            .of(text);
    return Optional.of(
        new Highlights(
            words.predicted(),
            words.words().stream().map(word -> new int[] {word.start(), word.end()}).toList()));
  }

  /** The items in the plane. */
  public ItemMap map() {
    TrainingResult last = batch;
    return last == null ? ItemMap.EMPTY : last.map();
  }

  /** Starts the work that is due, if any; returns at once. */
  public void wake() {
    if (queued.compareAndSet(false, true)) {
      try {
        thread.execute(this::run);
      } catch (RejectedExecutionException e) {
        queued.set(false); // closed in the meantime
      }
    }
  }

  /** Trains as soon as possible, even if the batch is incomplete. */
  public void train() {
    requested.set(true);
    wake();
  }

  private void run() {
    queued.set(false);
    try {
      step();
    } catch (Throwable e) {
      if (closed) {
        return; // the store is closed already
      }
      // Any failure is shown on the pages; labelling continues.
      failedAt = clock.instant();
      String why = e.getMessage() == null ? e.toString() : e.getMessage();
      state = new State(false, Activity.of("stopped"), why);
      requested.set(false);
      if (!(e instanceof DataException || e instanceof InvalidRequestException)) {
        LOG.error("Project {}: background work failed.", name, e);
      }
    }
  }

  /** Does the work that is due. */
  private void step() {
    Optional<Project> project =
        store.projects().find(name).filter(found -> found.id() == projectId);
    if (project.isEmpty()) {
      return; // it was deleted
    }
    ProjectOptions options = ProjectOptions.parse(project.get().options());
    boolean due = requested.get() || isDue(options) && mayRetry();
    boolean restarted = batch == null && mayRetry();
    if (!due && !restarted) {
      return;
    }
    state = new State(true, Activity.of("waiting"), "");
    TRAINING.acquireUninterruptibly();
    try {
      Parallel.with(THREADS, () -> make(project.get(), options, due));
    } finally {
      TRAINING.release();
    }
    failedAt = Instant.MIN;
    state = new State(false, Activity.of("ready"), "");
  }

  /** After a failure, retries on request or after a while, not at every label. */
  private boolean mayRetry() {
    return failedAt == Instant.MIN || clock.instant().isAfter(failedAt.plus(RETRY_DELAY));
  }

  /**
   * Computes a batch.
   *
   * @param due whether the batch is new; otherwise the last result is computed again, as after a
   *     restart
   */
  private TrainingResult make(Project project, ProjectOptions options, boolean due) {
    prepare(options);
    int number = store.rounds().last(projectId).map(last -> last.number() + 1).orElse(0);
    state = new State(true, Activity.of(number == 0 ? "selecting" : "training"), "");
    TrainingResult made = maker(project).make(number, options);
    if (due && !closed) {
      store.rounds().add(projectId, made.round(), made.picks());
      requested.set(false);
    }
    batch = made;
    return made;
  }

  private RoundComputation maker(Project project) {
    return new RoundComputation(store, project, model, clock);
  }

  /** Returns the items that the model could not read, in words. */
  public List<String> unreadable() {
    return source.skipped();
  }

  private void prepare(ProjectOptions options) {
    if (model != null && modelOf.equals(options.features())) {
      return;
    }
    state = new State(true, Activity.of("features"), "");
    if (model != null) {
      model.close();
      model = null;
    }
    Optional<PublishedWeights> backbone = PublishedWeights.named(options.features());
    if (backbone.isPresent()) {
      model = new FixedModel(features(backbone.get()));
      modelOf = options.features();
      return;
    }
    ModelInput modelInput = source.modelInput(options.features(), this::reportProgress);
    textModel = modelInput instanceof ModelInput.Texts texts ? texts.model() : null;
    String network = network(options.features(), modelInput);
    model =
        network.equals(ProjectOptions.FIXED)
            ? new FixedModel(FixedModel.features(modelInput, this::reportProgress))
            : new NetworkModel(
                LearnerEngine.find(), network, (ModelInput.Raw) modelInput, options.seed());
    modelOf = options.features();
  }

  /**
   * Checks that the features suit the items.
   *
   * @throws InvalidRequestException if published weights are requested and the items are not
   *     pictures
   */
  public static void checkCompatible(String features, ItemSource items) {
    boolean forTexts = TextFeatures.isBuiltIn(features) || TextFeatures.isAbsolutePath(features);
    if (forTexts != items.hasTexts()
        && !List.of(ProjectOptions.AUTO, ProjectOptions.FIXED).contains(features)) {
      throw new InvalidRequestException(
          forTexts
              ? "%s is for texts whose features are computed; choose other features."
                  .formatted(features)
              : "%s is not for texts; choose %s or %s."
                  .formatted(features, TextFeatures.MINILM, NgramFeatures.NAME));
    }
    PublishedWeights.named(features).ifPresent(backbone -> pictures(backbone, items));
    if (features.equals(IMAGE_NETWORK)
        && items.modelInput() instanceof ModelInput.Raw raw
        && raw.inputs().shape().isVideo()) {
      throw new InvalidRequestException(
          "%s is for images, but the items are videos; choose 'fixed' or published weights."
              .formatted(features));
    }
  }

  private static ModelInput.Raw pictures(PublishedWeights backbone, ItemSource items) {
    if (items.modelInput(PublishedWeights.SIDE) instanceof ModelInput.Raw raw
        && raw.inputs().shape().kind() != InputShape.Kind.TABLE
        && raw.inputs().hasBytes()) {
      boolean clips = PublishedWeights.takesClips(backbone.network());
      if (clips && !raw.inputs().shape().isVideo()) {
        throw new InvalidRequestException(
            "%s is for videos, but the items are images; choose other features."
                .formatted(backbone.name()));
      }
      return clips
          ? new ModelInput.Raw(raw.inputs().withClips(ClipOptions.PAPER), raw.scaling())
          : raw;
    }
    throw new InvalidRequestException(
        "%s is for images or videos, but the items are neither; choose other features."
            .formatted(backbone.name()));
  }

  /** Returns features by a pre-trained network; they are stored beside the data sets. */
  private FloatMatrix features(PublishedWeights backbone) {
    ModelInput.Raw raw = pictures(backbone, source);
    Fetcher.Listener listener =
        step -> state = new State(true, Activity.of("weights", backbone.name(), step), "");
    // Half of the processors, so that pages stay responsive.
    int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    return new Backbones(dataFolder, new WeightsFolder(dataFolder, listener), threads, "auto")
        .features(
            raw.inputs(), BackboneName.parse(backbone.name()), (done, all) -> reportProgress(done));
  }

  private void reportProgress(int done) {
    int share = 100 * done / Math.max(1, source.names().size());
    state = new State(true, Activity.of("share", share), "");
  }

  /** Returns the features that {@code auto} stands for; given embeddings are used unchanged. */
  private static String network(String features, ModelInput modelInput) {
    if (!(modelInput instanceof ModelInput.Raw raw)) {
      return ProjectOptions.FIXED;
    }
    if (!features.equals(ProjectOptions.AUTO)) {
      return features;
    }
    InputShape shape = raw.inputs().shape();
    boolean photos = shape.isImage() && shape.height() * shape.width() > TINY;
    boolean hasEngine =
        LearnerEngine.installed().stream().anyMatch(engine -> engine.hasNetwork(IMAGE_NETWORK));
    return photos && hasEngine ? IMAGE_NETWORK : ProjectOptions.FIXED;
  }

  /**
   * Returns whether a batch is due: at the start, when the last one is complete, or after a number
   * of labels.
   */
  private boolean isDue(ProjectOptions options) {
    Optional<TrainingRound> last = store.rounds().last(projectId);
    if (last.isEmpty()) {
      return true;
    }
    if (options.trainEvery() > 0) {
      Set<Integer> held = store.projects().held(projectId);
      long learnt =
          store.ledger().labels(projectId).values().stream()
              .filter(label -> label.classId().isPresent() && !held.contains(label.item()))
              .count();
      if (learnt - last.get().labels() >= options.trainEvery()) {
        return true;
      }
    }
    // Picks may be reserved for an annotator who has left; random items that others label in the
    // meantime count, too.
    if (store.rounds().labelsSinceLastRound(projectId) >= Math.max(2, options.budget() * 3 / 2)) {
      return true;
    }
    boolean empty = store.rounds().picks(projectId, last.get().number()).isEmpty();
    // After an empty batch all items are labelled, until a label is removed.
    return empty
        ? store.rounds().hasOpen(projectId)
        : store.rounds().isDone(projectId, last.get().number());
  }

  @Override
  public void close() {
    closed = true;
    try {
      thread.execute(
          () -> {
            if (model != null) {
              model.close();
            }
            source.close();
          });
    } catch (RejectedExecutionException e) {
      return; // it is closed
    }
    thread.shutdown();
  }
}
