package org.alfamix.lab.run;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;
import org.alfamix.io.AtomicFile;
import org.alfamix.io.DataException;
import org.alfamix.io.table.JsonTree;
import org.alfamix.lab.setting.Setting;

/**
 * The file of a run: a header and a line of JSON for every finished round. A line counts once its
 * end is on the disk; what follows the last end was being written when the process died, and is cut
 * off before the run goes on.
 *
 * <p>A run that is to be kept for long may be packed: compressed, and without what earlier lines
 * tell already. It is read like any other; should it go on, it is unpacked first.
 */
public final class RunFile {
  private static final String OPEN = ".jsonl";
  private static final String PACKED = ".gz";

  private Path path;
  private final RunHeader header;
  private final List<Round> rounds;

  /** Where the header ends, and after it every round; in the file when it is not packed. */
  private final List<Long> ends;

  private RunFile(Path path, RunHeader header, List<Round> rounds, List<Long> ends) {
    this.path = path;
    this.header = header;
    this.rounds = rounds;
    this.ends = ends;
  }

  /** The runs of a folder, packed or not, in order; one that is there in both forms counts once. */
  public static List<Path> list(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(
              file ->
                  file.toString().endsWith(OPEN)
                      || file.toString().endsWith(OPEN + PACKED) && !Files.exists(open(file)))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw DataException.unreadable(folder, e);
    }
  }

  boolean isPacked() {
    return isPacked(path);
  }

  private static boolean isPacked(Path path) {
    return path.toString().endsWith(PACKED);
  }

  /** What a file is called when it is not packed. */
  static Path open(Path path) {
    String name = path.getFileName().toString();
    return isPacked(path)
        ? path.resolveSibling(name.substring(0, name.length() - PACKED.length()))
        : path;
  }

  private static Path packed(Path path) {
    return isPacked(path) ? path : path.resolveSibling(path.getFileName() + PACKED);
  }

  private static InputStream stream(Path path) throws IOException {
    InputStream in = Files.newInputStream(path);
    try {
      return isPacked(path) ? new GZIPInputStream(in) : in;
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  /** The first line of a file; empty where there is none that can be read. */
  static Optional<RunHeader> header(Path path) {
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(stream(path), StandardCharsets.UTF_8))) {
      String line = reader.readLine();
      return line == null
          ? Optional.empty()
          : Optional.of(RunHeader.of(JsonTree.parse(path, "line 1", line)));
    } catch (DataException | IllegalArgumentException e) {
      return Optional.empty(); // whoever runs it is told
    } catch (CharacterCodingException | EOFException | ZipException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw DataException.unreadable(path, e);
    }
  }

  /**
   * Reads a file; empty where it is not there, nor packed, or its first line was never finished.
   */
  public static Optional<RunFile> read(Path wanted) {
    Path open = open(wanted);
    Path packed = packed(wanted);
    if (!Files.exists(open)) {
      return Files.exists(packed) ? readOne(packed) : Optional.empty();
    }
    Optional<RunFile> run = readOne(open);
    if (Files.exists(packed)) {
      requireTold(readOne(packed), run);
    }
    return run;
  }

  /** Where a run is there in both forms, the open one must say all that the packed one does. */
  private static void requireTold(Optional<RunFile> packed, Optional<RunFile> open) {
    int told = packed.map(run -> run.rounds.size()).orElse(0);
    if (told > 0 && (open.isEmpty() || Rerun.same(packed.get(), open.get()) < told)) {
      throw new DataException(
          "%s lies beside a file of the same run that says something else or less; delete one of"
                  .formatted(packed.get().path)
              + " the two.");
    }
  }

  private static Optional<RunFile> readOne(Path path) {
    try (InputStream in = stream(path)) {
      byte[] bytes = in.readAllBytes();
      int whole = bytes.length;
      while (whole > 0
          && (bytes[whole - 1] != '\n' || whole > 1 && bytes[whole - 2] == '\n' || whole == 1)) {
        whole--; // what was not finished, and lines with nothing in them
      }
      if (whole == 0) {
        return Optional.empty();
      }
      String[] lines = new String(bytes, 0, whole, StandardCharsets.UTF_8).split("\n", -1);
      RunHeader header = RunHeader.of(JsonTree.parse(path, "line 1", lines[0]));
      List<Round> rounds = new ArrayList<>();
      List<Long> ends = new ArrayList<>();
      for (int i = 0; i < whole; i++) {
        if (bytes[i] == '\n') {
          ends.add(i + 1L);
        }
      }
      for (int i = 1; i < lines.length - 1; i++) { // after the last end there is nothing
        Round before = rounds.isEmpty() ? null : rounds.get(i - 2);
        Round round = Round.of(JsonTree.parse(path, "line " + (i + 1), lines[i]), before);
        if (round.number() != i - 1) {
          throw new DataException(
              "%s, line %d: round %d, expected %d.".formatted(path, i + 1, round.number(), i - 1));
        }
        requireFollows(path, before, round);
        rounds.add(round);
      }
      return Optional.of(new RunFile(path, header, rounds, ends));
    } catch (IllegalArgumentException e) {
      throw new DataException("%s, line 1: %s".formatted(path, e.getMessage()), e);
    } catch (IOException e) {
      throw DataException.unreadable(path, e);
    }
  }

  /** What is labelled in a round is what was before it and what was picked, each item once. */
  private static void requireFollows(Path path, Round before, Round round) {
    int[] expected = before == null ? round.labelled() : before.labelledNext();
    if (!Arrays.equals(expected, round.labelled())) {
      throw new DataException(
          "%s, line %d: its labelled items are not those of the round before and what was picked."
              .formatted(path, round.number() + 2));
    }
    int[] next = round.labelledNext();
    if (Arrays.stream(next).distinct().count() < next.length) {
      throw new DataException(
          "%s, line %d: an item is labelled or picked twice.".formatted(path, round.number() + 2));
    }
  }

  public Path path() {
    return path;
  }

  /**
   * Why the run does not belong to a setting and its other runs; empty where it does.
   *
   * @param others runs of the setting that are known to
   */
  public Optional<String> foreignIn(Setting setting, List<RunFile> others) {
    Path expected = new Job(setting, header.method(), header.seed()).file(Path.of(""));
    if (!isCalled(expected)) {
      return Optional.of("it is the run of " + expected.getFileName());
    }
    if (!header.setting().equals(setting.name())) {
      return Optional.of("it is a run of the setting " + header.setting());
    }
    List<Integer> budgets = setting.schedule().budgets();
    for (int r = 1; r < rounds.size() && r <= budgets.size(); r++) {
      int more = rounds.get(r).labelled().length - rounds.get(r - 1).labelled().length;
      if (more != budgets.get(r - 1)) {
        return Optional.of(
            "it has %d more labels in round %d, its setting.yaml says %d"
                .formatted(more, r, budgets.get(r - 1)));
      }
    }
    for (RunFile other : others) {
      Optional<String> material = header.provenance().otherMaterial(other.header().provenance());
      if (material.isPresent()) {
        return Optional.of(
            "it has seen other %s than %s".formatted(material.get(), other.path().getFileName()));
      }
    }
    Map<String, String> now = setting.essence();
    for (Map.Entry<String, String> each : header.essence().entrySet()) {
      // A path may be written in other words; everything else must be the same.
      if (!Setting.PLACES.contains(each.getKey())
          && !each.getValue().equals(now.get(each.getKey()))) {
        return Optional.of(
            "it was run with %s '%s', the setting has '%s'"
                .formatted(each.getKey(), each.getValue(), now.get(each.getKey())));
      }
    }
    return Optional.empty();
  }

  /** Whether it has the name of another file, packed or not. */
  public boolean isCalled(Path other) {
    return open(path).getFileName().equals(open(other).getFileName());
  }

  public RunHeader header() {
    return header;
  }

  /** Those that were finished. */
  public List<Round> rounds() {
    return List.copyOf(rounds);
  }

  /** Begins a file; what was there is no longer. */
  static RunFile begin(Path path, RunHeader header) {
    delete(path);
    long whole = append(path, 0, header.toJson());
    forceFolder(path.toAbsolutePath().getParent());
    return new RunFile(path, header, new ArrayList<>(), new ArrayList<>(List.of(whole)));
  }

  /**
   * Takes back the last round where it was the end of a run that now goes on for longer: at an end
   * nothing is picked, so that the round is taken again. The file changes with the next line.
   */
  void goOnUntil(int lastRound) {
    int last = rounds.size() - 1;
    if (last >= 0 && last < lastRound && rounds.get(last).query().isEmpty()) {
      rounds.remove(last);
      ends.remove(last + 1);
    }
  }

  /**
   * Writes the same packed, as a whole or not at all.
   *
   * @param target what it is called when it is not packed; such a file is there no longer
   */
  void pack(Path target) {
    AtomicFile.write(
        packed(target),
        out -> {
          Packing packing = new Packing(out);
          packing.write(header.toJson().getBytes(StandardCharsets.UTF_8));
          for (Round round : rounds) {
            packing.write(round.toCompactJson().getBytes(StandardCharsets.UTF_8));
          }
          packing.finish(); // what it writes to is closed by whoever opened it
        });
    forceFolder(target.toAbsolutePath().getParent());
    delete(open(target));
  }

  /** As small as it gets. */
  private static final class Packing extends GZIPOutputStream {
    Packing(OutputStream out) throws IOException {
      super(out);
      def.setLevel(Deflater.BEST_COMPRESSION);
    }
  }

  /** What goes on is written line by line, which a packed file cannot be. */
  private void unpack() {
    Path open = open(path);
    ends.clear();
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    lines.writeBytes(header.toJson().getBytes(StandardCharsets.UTF_8));
    ends.add((long) lines.size());
    for (Round round : rounds) {
      lines.writeBytes(round.toJson().getBytes(StandardCharsets.UTF_8));
      ends.add((long) lines.size());
    }
    AtomicFile.write(open, lines::writeTo);
    forceFolder(open.toAbsolutePath().getParent());
    delete(path);
    path = open;
  }

  /** Adds a round, which is on the disk when this returns. */
  void append(Round round) {
    if (isPacked(path)) {
      unpack();
    }
    ends.add(append(path, ends.get(ends.size() - 1), round.toJson()));
    rounds.add(round);
  }

  private static void delete(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new UncheckedIOException(path + ": cannot be written: " + AtomicFile.reason(e), e);
    }
  }

  /** Writes after {@code whole} bytes, whatever followed them. */
  private static long append(Path path, long whole, String line) {
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.truncate(whole).position(whole);
      ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
      return channel.position();
    } catch (IOException e) {
      throw new UncheckedIOException(path + ": cannot be written: " + AtomicFile.reason(e), e);
    }
  }

  /** The name of a new file is part of its folder; not every system can write that at once. */
  private static void forceFolder(Path folder) {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      // Windows does not open folders; there the name is safe without this.
    }
  }
}
