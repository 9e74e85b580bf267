package org.alfamix.lab.run;

import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.alfamix.datasets.Dataset;
import org.alfamix.io.DataException;
import org.alfamix.io.Digest;
import org.alfamix.lab.setting.DataSpec;
import org.alfamix.lab.setting.Setting;
import org.alfamix.learn.LearnerEngine;
import org.alfamix.math.KernelWarmUp;
import org.alfamix.math.Parallel;

/**
 * Runs experiments and keeps their results in a folder: a folder per setting, in it a file per run.
 *
 * <p>Several runs compute at once, each on one thread of its own from the first matrix to the last,
 * so that its numbers do not depend on how many others there are.
 */
public final class Lab implements AutoCloseable {
  private final RunFolder folder;
  private final LearnerEngine engine;
  private final String device;
  private final LabSources sources;
  private final boolean mixed;
  private final Map<DataSpec, Dataset> sets = new ConcurrentHashMap<>();
  private final Map<DataSpec, String> checksums = new ConcurrentHashMap<>();
  private final Map<Path, String> weightSums = new ConcurrentHashMap<>();

  /**
   * Opens a folder of results, for this process alone.
   *
   * @param device where networks compute: auto, cpu or cuda:N
   * @param sources reads data sets and finds weights, and may fetch them
   * @param mixed whether runs that another version, Java or machine began may go on here
   */
  public Lab(Path folder, LearnerEngine engine, String device, LabSources sources, boolean mixed) {
    this.engine = engine;
    this.device = engine.device(device);
    this.sources = sources;
    this.mixed = mixed;
    this.folder = new RunFolder(folder);
  }

  /** Where networks compute. */
  public String device() {
    return device;
  }

  /**
   * Runs all there is to run; what is there already is left alone.
   *
   * @param jobs how many runs at once
   * @return number of failed runs
   */
  public int run(List<Experiment> experiments, int jobs, LabListener listener) {
    KernelWarmUp.begin();
    Map<Job, Integer> finished = new LinkedHashMap<>();
    for (Experiment experiment : experiments) {
      for (Job job : experiment.jobs()) {
        finished.put(job, finishedRounds(job));
      }
    }
    LabListener one = listener.oneAtATime();
    one.planned(finished);
    // Data and weights are had before the first run: what is not there is told at once, not in the
    // night.
    for (Job job : finished.keySet()) {
      if (finished.get(job) <= job.setting().schedule().rounds()) {
        loop(job.setting(), data(job.setting()));
      }
    }
    for (Experiment experiment : experiments) {
      if (experiment.jobs().stream().allMatch(this::isWelcome)) {
        folder.keep(experiment.setting());
      }
    }
    KernelWarmUp.await();
    WorkQueue queue = new WorkQueue(experiments, finished);
    ExecutorService threads = Executors.newFixedThreadPool(jobs);
    try {
      List<Future<Integer>> workers = new ArrayList<>();
      for (int j = 0; j < jobs; j++) {
        workers.add(threads.submit(() -> Parallel.with(1, () -> work(queue, jobs, one))));
      }
      int failures = 0;
      for (Future<Integer> worker : workers) {
        failures += worker.get();
      }
      return failures;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("The experiments were interrupted.", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException failure
          ? failure
          : new IllegalStateException(e.getCause());
    } finally {
      end(threads);
    }
  }

  /** Nobody writes to the folder once this lab is closed. */
  private static void end(ExecutorService threads) {
    threads.shutdownNow();
    try {
      threads.awaitTermination(1, TimeUnit.HOURS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Whether what is there of a run can be gone on with; where not, it is told when its turn comes.
   */
  private boolean isWelcome(Job job) {
    try {
      RunFile.read(folder.file(job)).ifPresent(file -> requireAcceptable(file, job));
      return true;
    } catch (DataException e) {
      return false;
    }
  }

  /** A run goes on as it began, or not at all; what is finished must be what was asked for, too. */
  private void requireAcceptable(RunFile file, Job job) {
    boolean finished = file.rounds().size() > job.setting().schedule().rounds();
    Provenance provenance =
        finished && !sets.containsKey(spec(job.setting()))
            ? file.header().provenance()
            : provenance(job.setting());
    requireSame(file, header(job, provenance), mixed || finished);
    requireFits(file, job.setting());
  }

  private int finishedRounds(Job job) {
    try {
      int last = job.setting().schedule().rounds();
      Optional<RunFile> file = RunFile.read(folder.file(job));
      file.ifPresent(there -> there.goOnUntil(last));
      return file.map(there -> there.rounds().size()).orElse(0);
    } catch (DataException e) {
      return 0; // it is told when its turn comes, and only that run fails
    }
  }

  /** Takes up one thing after the other; returns the number of failures. */
  private int work(WorkQueue queue, int jobs, LabListener listener) {
    int failures = 0;
    while (true) {
      Optional<Experiment> picture = queue.nextPicture();
      if (picture.isPresent()) {
        failures += drawOne(picture.get(), listener) ? 0 : 1;
        continue;
      }
      Optional<Job> job = queue.nextJob();
      if (job.isEmpty()) {
        return failures;
      }
      if (runOne(job.get(), jobs, queue, listener)) {
        queue.finished(job.get());
      } else {
        failures++;
      }
    }
  }

  /** Whether it went well. */
  private boolean runOne(Job job, int jobs, WorkQueue queue, LabListener listener) {
    try {
      Path path = folder.file(job);
      Optional<RunFile> there = RunFile.read(path);
      int rounds = job.setting().schedule().rounds();
      there.ifPresent(file -> requireAcceptable(file, job));
      if (there.isPresent() && there.get().rounds().size() > rounds) {
        return true;
      }
      Dataset data = data(job.setting());
      RunHeader header = header(job, provenance(job.setting()));
      folder.requireSameData(job.setting(), header.provenance());
      RunFile file = there.orElseGet(() -> RunFile.begin(path, header));
      requireItems(file, data);
      file.goOnUntil(rounds);
      Map<String, String> madeBy = file.header().provenance().changes(header.provenance());
      RunLoop loop = loop(job.setting(), data);
      loop.run(
          job.method(),
          job.seed(),
          file.rounds(),
          round -> {
            file.append(round.by(jobs, madeBy));
            queue.round(job, round);
            listener.round(job, round);
          });
      listener.finished(job, file.rounds().get(rounds));
      return true;
    } catch (RuntimeException | OutOfMemoryError | LinkageError e) {
      listener.failed(job, e);
      return false;
    }
  }

  private RunHeader header(Job job, Provenance provenance) {
    return new RunHeader(
        job.setting().name(),
        job.setting().essence(),
        job.method(),
        job.seed(),
        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
        provenance);
  }

  private Provenance provenance(Setting setting) {
    return Provenance.now(
        engine.description(),
        device,
        checksums.computeIfAbsent(spec(setting), key -> data(setting).checksum()),
        weights(setting).map(file -> weightSums.computeIfAbsent(file, Digest::ofAll)));
  }

  private static void requireSame(RunFile file, RunHeader now, boolean byOthers) {
    String other = file.header().difference(now);
    if (!other.isEmpty()) {
      throw new DataException(
          "%s was begun with %s; take another folder or another name."
              .formatted(file.path(), other));
    }
    Map<String, String> changes = file.header().provenance().changes(now.provenance());
    Optional<String> material = file.header().provenance().otherMaterial(now.provenance());
    if (material.isPresent()) {
      throw new DataException(
          "%s was begun with other %s; take another folder or another name."
              .formatted(file.path(), material.get()));
    }
    if (!changes.isEmpty() && !byOthers) {
      String topic = changes.keySet().iterator().next();
      throw new DataException(
              "%s was begun with %s '%s', now '%s'; numbers may differ."
                  .formatted(
                      file.path(),
                      topic,
                      file.header().provenance().fact(topic),
                      changes.get(topic)))
          .advise("continue all the same", "mixed");
    }
  }

  /** The essence of a setting does not tell how many labels a round adds; its picks do. */
  private static void requireFits(RunFile file, Setting setting) {
    for (Round round : file.rounds()) {
      int picks = round.query().map(query -> query.picks().length).orElse(0);
      if (picks > 0 && round.number() < setting.schedule().rounds()) {
        int budget = setting.schedule().budgets().get(round.number());
        if (picks != budget) {
          throw new DataException(
              "%s was begun with a budget of %d in round %d, now %d; take another folder or another"
                      .formatted(file.path(), picks, round.number(), budget)
                  + " name.");
        }
      }
    }
  }

  private static void requireItems(RunFile file, Dataset data) {
    for (Round round : file.rounds()) {
      int[] picks = round.query().map(Round.Query::picks).orElse(new int[0]);
      int most =
          IntStream.concat(IntStream.of(round.labelled()), IntStream.of(picks)).max().orElse(0);
      if (most >= data.pool().size()) {
        throw new DataException(
            "%s, line %d: it speaks of item %d, but the pool has %d."
                .formatted(file.path(), round.number() + 2, most, data.pool().size()));
      }
    }
  }

  private RunLoop loop(Setting setting, Dataset data) {
    return new RunLoop(setting, data, weights(setting), engine, device);
  }

  /** What the network begins from; of a frozen one it is in the features already. */
  private Optional<Path> weights(Setting setting) {
    return setting.model().isFrozen()
        ? Optional.empty()
        : setting.model().checkpoint().map(name -> sources.weights(setting.model()));
  }

  /** What is read: images, or what a frozen network makes of them. */
  private static DataSpec spec(Setting setting) {
    return setting.model().isFrozen()
        ? setting.data().with(setting.model().backbone())
        : setting.data();
  }

  private Dataset data(Setting setting) {
    DataSpec spec = spec(setting);
    synchronized (sets) {
      Dataset data = sets.get(spec);
      try {
        if (data == null) {
          if (setting.model().augments() && spec.reading().containsKey(DataSpec.BACKBONE)) {
            throw new DataException(
                "'augment' changes images in each step, and features are made once; leave it out.");
          }
          data = Experiment.prepared(spec, sources.data(spec));
          if (setting.model().augments() && !data.shape().image()) {
            throw new DataException(
                "'augment' is for images, not for " + data.shape() + "; leave it out.");
          }
          sets.put(spec, data);
        }
        new Oracle(data).requireEnough(setting.schedule());
        return data;
      } catch (DataException e) {
        throw new DataException("The setting %s: %s".formatted(setting.name(), e.getMessage()), e);
      }
    }
  }

  private boolean drawOne(Experiment experiment, LabListener listener) {
    try {
      draw(experiment, listener);
      return true;
    } catch (RuntimeException | OutOfMemoryError e) {
      listener.notDrawn(experiment.setting().name(), e);
      return false;
    }
  }

  private void draw(Experiment experiment, LabListener listener) {
    Setting setting = experiment.setting();
    long seed = experiment.seeds().get(0);
    List<Round> first = folder.firstRounds(setting, seed);
    Path path = folder.latent(setting, seed);
    if (LatentSpace.read(path)
        .filter(there -> there.covers(first, setting.latentItems()))
        .isPresent()) {
      return;
    }
    listener.drawing(setting.name());
    RunLoop loop = loop(setting, data(setting));
    LatentSpace.of(loop, data(setting), setting, seed, first).write(path);
  }

  @Override
  public void close() {
    folder.close();
  }
}
