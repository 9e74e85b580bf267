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
 * Runs experiments and stores their results in a folder, which has a folder per setting and in it a
 * file per run.
 *
 * <p>Several runs compute in parallel, each on a single thread, so that its numbers do not depend
 * on the number of other runs.
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
   * Opens a folder of results, exclusively for this process.
   *
   * @param device the device of networks: auto, cpu or cuda:N
   * @param sources reads data sets and finds weights, and may download them
   * @param mixed whether to resume runs that were started by another version, Java or machine
   */
  public Lab(Path folder, LearnerEngine engine, String device, LabSources sources, boolean mixed) {
    this.engine = engine;
    this.device = engine.device(device);
    this.sources = sources;
    this.mixed = mixed;
    this.folder = new RunFolder(folder);
  }

  /** Returns the device of networks. */
  public String device() {
    return device;
  }

  /**
   * Runs experiments; completed runs are skipped.
   *
   * @param jobs number of parallel runs
   * @return number of failed runs
   */
  public int run(List<Experiment> experiments, int jobs, LabListener listener) {
    KernelWarmUp.start();
    Map<Job, Integer> finished = new LinkedHashMap<>();
    for (Experiment experiment : experiments) {
      for (Job job : experiment.jobs()) {
        finished.put(job, finishedRounds(job));
      }
    }
    LabListener calls = listener.asSynchronized();
    calls.planned(finished);
    // Read data and weights before the first run, so that missing ones are reported at once and not
    // hours later.
    for (Job job : finished.keySet()) {
      if (finished.get(job) <= job.setting().schedule().rounds()) {
        loop(job.setting(), data(job.setting()));
      }
    }
    for (Experiment experiment : experiments) {
      if (experiment.jobs().stream().allMatch(this::isCompatible)) {
        folder.save(experiment.setting());
      }
    }
    KernelWarmUp.await();
    WorkQueue queue = new WorkQueue(experiments, finished);
    ExecutorService threads = Executors.newFixedThreadPool(jobs);
    try {
      List<Future<Integer>> workers = new ArrayList<>();
      for (int j = 0; j < jobs; j++) {
        workers.add(threads.submit(() -> Parallel.with(1, () -> work(queue, jobs, calls))));
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
      shutDown(threads);
    }
  }

  /** Waits for the threads, so that nothing writes to the folder once this lab is closed. */
  private static void shutDown(ExecutorService threads) {
    threads.shutdownNow();
    try {
      threads.awaitTermination(1, TimeUnit.HOURS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns whether a run can be resumed; if it cannot, running it reports why. */
  private boolean isCompatible(Job job) {
    try {
      RunFile.read(folder.file(job)).ifPresent(file -> requireCompatible(file, job));
      return true;
    } catch (DataException e) {
      return false;
    }
  }

  /** Fails if a run was started in another way than requested, even if it is complete. */
  private void requireCompatible(RunFile file, Job job) {
    boolean finished = file.rounds().size() > job.setting().schedule().rounds();
    Provenance provenance =
        finished && !sets.containsKey(spec(job.setting()))
            ? file.header().provenance()
            : provenance(job.setting());
    requireSameHeader(file, header(job, provenance), mixed || finished);
    requireSameBudgets(file, job.setting());
  }

  private int finishedRounds(Job job) {
    try {
      int last = job.setting().schedule().rounds();
      Optional<RunFile> file = RunFile.read(folder.file(job));
      file.ifPresent(run -> run.extendTo(last));
      return file.map(run -> run.rounds().size()).orElse(0);
    } catch (DataException e) {
      return 0; // running it reports the problem, and only that run fails
    }
  }

  /** Processes the queue until it is empty; returns the number of failures. */
  private int work(WorkQueue queue, int jobs, LabListener listener) {
    int failures = 0;
    while (true) {
      Optional<Experiment> map = queue.nextMap();
      if (map.isPresent()) {
        failures += tryComputeMap(map.get(), listener) ? 0 : 1;
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

  /** Runs a job; returns whether it succeeded. */
  private boolean runOne(Job job, int jobs, WorkQueue queue, LabListener listener) {
    try {
      Path path = folder.file(job);
      Optional<RunFile> stored = RunFile.read(path);
      int rounds = job.setting().schedule().rounds();
      stored.ifPresent(file -> requireCompatible(file, job));
      if (stored.isPresent() && stored.get().rounds().size() > rounds) {
        return true;
      }
      Dataset data = data(job.setting());
      RunHeader header = header(job, provenance(job.setting()));
      folder.requireSameData(job.setting(), header.provenance());
      RunFile file = stored.orElseGet(() -> RunFile.create(path, header));
      requireItems(file, data);
      file.extendTo(rounds);
      Map<String, String> madeBy = file.header().provenance().changes(header.provenance());
      RunLoop loop = loop(job.setting(), data);
      loop.run(
          job.method(),
          job.seed(),
          file.rounds(),
          round -> {
            file.append(round.withContext(jobs, madeBy));
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
        job.setting().definingValues(),
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

  private static void requireSameHeader(RunFile file, RunHeader now, boolean allowChanges) {
    String difference = file.header().difference(now);
    if (!difference.isEmpty()) {
      throw new DataException(
          "%s was started with %s; use another folder or another name."
              .formatted(file.path(), difference));
    }
    Map<String, String> changes = file.header().provenance().changes(now.provenance());
    Optional<String> input = file.header().provenance().changedInput(now.provenance());
    if (input.isPresent()) {
      throw new DataException(
          "%s was started with different %s; use another folder, or rename the setting."
              .formatted(file.path(), input.get()));
    }
    if (!changes.isEmpty() && !allowChanges) {
      String topic = changes.keySet().iterator().next();
      throw new DataException(
              "%s was started with %s '%s', now '%s'; numbers may differ."
                  .formatted(
                      file.path(),
                      topic,
                      file.header().provenance().fact(topic),
                      changes.get(topic)))
          .advise("continue anyway", "mixed");
    }
  }

  /**
   * Compares budgets with picks, because the defining values of a setting does not include budgets.
   */
  private static void requireSameBudgets(RunFile file, Setting setting) {
    for (Round round : file.rounds()) {
      int picks = round.query().map(query -> query.picks().length).orElse(0);
      if (picks > 0 && round.number() < setting.schedule().rounds()) {
        int budget = setting.schedule().budgets().get(round.number());
        if (picks != budget) {
          throw new DataException(
              "%s was started with a budget of %d in round %d, now %d; use another folder or another"
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
            "%s, line %d: item %d is out of range; the pool has %d items."
                .formatted(file.path(), round.number() + 2, most, data.pool().size()));
      }
    }
  }

  private RunLoop loop(Setting setting, Dataset data) {
    return new RunLoop(setting, data, weights(setting), engine, device);
  }

  /** Returns the initial weights; empty if the network is frozen, as the features contain them. */
  private Optional<Path> weights(Setting setting) {
    return setting.model().isFrozen()
        ? Optional.empty()
        : setting.model().checkpoint().map(name -> sources.weights(setting.model()));
  }

  /** Returns the data to read: inputs, or their features if the network is frozen. */
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
                "'augment' changes images in each step, but features are computed once; remove"
                    + " it.");
          }
          data = Experiment.prepare(spec, sources.data(spec));
          if (setting.model().augments() && !data.shape().isImage()) {
            throw new DataException(
                "'augment' requires images, found " + data.shape() + "; remove it.");
          }
          sets.put(spec, data);
        }
        new Oracle(data).requireEnough(setting.schedule());
        return data;
      } catch (DataException e) {
        throw new DataException("Setting %s: %s".formatted(setting.name(), e.getMessage()), e);
      }
    }
  }

  private boolean tryComputeMap(Experiment experiment, LabListener listener) {
    try {
      computeMap(experiment, listener);
      return true;
    } catch (RuntimeException | OutOfMemoryError e) {
      listener.mapFailed(experiment.setting().name(), e);
      return false;
    }
  }

  private void computeMap(Experiment experiment, LabListener listener) {
    Setting setting = experiment.setting();
    long seed = experiment.seeds().get(0);
    List<Round> first = folder.firstRounds(setting, seed);
    Path path = folder.latent(setting, seed);
    if (LatentSpace.read(path)
        .filter(stored -> stored.covers(first, setting.latentItems()))
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
