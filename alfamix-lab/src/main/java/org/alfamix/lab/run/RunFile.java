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
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.AtomicFile;
import org.alfamix.io.DataException;
import org.alfamix.io.table.JsonTree;
import org.alfamix.lab.setting.Setting;

/**
 * The file of a run: a header and a line of JSON for every completed round. A line is valid once
 * its line break is on disk; an incomplete last line was being written when the process died, and
 * is truncated before the run resumes.
 *
 * <p>For long-term storage a run can be packed: compressed, and without values that follow from
 * earlier lines. It is read like any other run, and unpacked if it is resumed.
 */
public final class RunFile {
  private static final String SUFFIX = ".jsonl";
  private static final String PACKED = ".gz";

  private Path path;
  private final RunHeader header;
  private final List<Round> rounds;

  /** The end positions of the header and of every round in the unpacked file. */
  private final List<Long> ends;

  private RunFile(Path path, RunHeader header, List<Round> rounds, List<Long> ends) {
    this.path = path;
    this.header = header;
    this.rounds = rounds;
    this.ends = ends;
  }

  /** Returns the sorted run files of a folder, packed or not; a run in both forms counts once. */
  public static List<Path> list(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(
              file ->
                  file.toString().endsWith(SUFFIX)
                      || file.toString().endsWith(SUFFIX + PACKED)
                          && !Files.exists(unpackedPath(file)))
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

  /** Returns the path of the unpacked form of a file. */
  static Path unpackedPath(Path path) {
    String name = path.getFileName().toString();
    return isPacked(path)
        ? path.resolveSibling(name.substring(0, name.length() - PACKED.length()))
        : path;
  }

  private static Path packedPath(Path path) {
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

  /** Reads the first line of a file; empty if it is missing or unreadable. */
  static Optional<RunHeader> header(Path path) {
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(stream(path), StandardCharsets.UTF_8))) {
      String line = reader.readLine();
      return line == null
          ? Optional.empty()
          : Optional.of(RunHeader.of(JsonTree.parse(path, "line 1", line)));
    } catch (DataException | InvalidRequestException e) {
      return Optional.empty(); // running it reports the problem
    } catch (CharacterCodingException | EOFException | ZipException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw DataException.unreadable(path, e);
    }
  }

  /** Reads a file, packed or not; empty if it does not exist or its first line is incomplete. */
  public static Optional<RunFile> read(Path wanted) {
    Path open = unpackedPath(wanted);
    Path packed = packedPath(wanted);
    if (!Files.exists(open)) {
      return Files.exists(packed) ? readOne(packed) : Optional.empty();
    }
    Optional<RunFile> run = readOne(open);
    if (Files.exists(packed)) {
      requireConsistent(readOne(packed), run);
    }
    return run;
  }

  /** Fails if the unpacked form of a run lacks rounds of the packed one or contradicts it. */
  private static void requireConsistent(Optional<RunFile> packed, Optional<RunFile> open) {
    int known = packed.map(run -> run.rounds.size()).orElse(0);
    if (known > 0 && (open.isEmpty() || Rerun.equalRounds(packed.get(), open.get()) < known)) {
      throw new DataException(
          "%s: the uncompressed file of the same run differs or has fewer rounds; delete one of"
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
        whole--; // an incomplete last line, and blank lines
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
      for (int i = 1; i < lines.length - 1; i++) { // the last element is empty
        Round before = rounds.isEmpty() ? null : rounds.get(i - 2);
        Round round = Round.of(JsonTree.parse(path, "line " + (i + 1), lines[i]), before);
        if (round.number() != i - 1) {
          throw new DataException(
              "%s, line %d: round %d, expected %d.".formatted(path, i + 1, round.number(), i - 1));
        }
        requireSuccessor(path, before, round);
        rounds.add(round);
      }
      return Optional.of(new RunFile(path, header, rounds, ends));
    } catch (InvalidRequestException e) {
      throw new DataException("%s, line 1: %s".formatted(path, e.getMessage()), e);
    } catch (IOException e) {
      throw DataException.unreadable(path, e);
    }
  }

  /** Fails unless a round labels the items of the previous round and its picks, each item once. */
  private static void requireSuccessor(Path path, Round before, Round round) {
    int[] expected = before == null ? round.labelled() : before.labelledNext();
    if (!Arrays.equals(expected, round.labelled())) {
      throw new DataException(
          "%s, line %d: labelled items are not those of the previous round and its picks."
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
   * Describes why the run does not belong to a setting; empty if it does.
   *
   * @param others runs that belong to the setting, whose data must be the same
   */
  public Optional<String> mismatch(Setting setting, List<RunFile> others) {
    Path expected = new Job(setting, header.method(), header.seed()).file(Path.of(""));
    if (!hasNameOf(expected)) {
      return Optional.of("contains the run of " + expected.getFileName());
    }
    if (!header.setting().equals(setting.name())) {
      return Optional.of("belongs to the setting " + header.setting());
    }
    List<Integer> budgets = setting.schedule().budgets();
    for (int r = 1; r < rounds.size() && r <= budgets.size(); r++) {
      int more = rounds.get(r).labelled().length - rounds.get(r - 1).labelled().length;
      if (more != budgets.get(r - 1)) {
        return Optional.of(
            "adds %d labels in round %d, but setting.yaml specifies %d"
                .formatted(more, r, budgets.get(r - 1)));
      }
    }
    for (RunFile other : others) {
      Optional<String> input = header.provenance().changedInput(other.header().provenance());
      if (input.isPresent()) {
        return Optional.of(
            "was run with other %s than %s".formatted(input.get(), other.path().getFileName()));
      }
    }
    Map<String, String> now = setting.definingValues();
    for (Map.Entry<String, String> each : header.definingValues().entrySet()) {
      // A path may be written in another way; everything else must be the same.
      if (!Setting.PATH_KEYS.contains(each.getKey())
          && !each.getValue().equals(now.get(each.getKey()))) {
        return Optional.of(
            "was run with %s '%s', but setting.yaml has '%s'"
                .formatted(each.getKey(), each.getValue(), now.get(each.getKey())));
      }
    }
    return Optional.empty();
  }

  /** Returns whether the file has the name of another one, packed or not. */
  private boolean hasNameOf(Path other) {
    return unpackedPath(path).getFileName().equals(unpackedPath(other).getFileName());
  }

  public RunHeader header() {
    return header;
  }

  /** Returns the completed rounds. */
  public List<Round> rounds() {
    return List.copyOf(rounds);
  }

  /** Creates a file and replaces an existing one. */
  static RunFile create(Path path, RunHeader header) {
    delete(path);
    long whole = append(path, 0, header.toJson());
    forceFolder(path.toAbsolutePath().getParent());
    return new RunFile(path, header, new ArrayList<>(), new ArrayList<>(List.of(whole)));
  }

  /**
   * Prepares a run for more rounds. The last round of a run has no picks, so that it is removed and
   * repeated if the run is extended. The file changes with the next line.
   */
  void extendTo(int lastRound) {
    int last = rounds.size() - 1;
    if (last >= 0 && last < lastRound && rounds.get(last).query().isEmpty()) {
      rounds.remove(last);
      ends.remove(last + 1);
    }
  }

  /**
   * Writes the packed form atomically.
   *
   * @param target the path of the unpacked form, which is deleted
   */
  void pack(Path target) {
    AtomicFile.write(
        packedPath(target),
        out -> {
          Packing packing = new Packing(out);
          packing.write(header.toJson().getBytes(StandardCharsets.UTF_8));
          for (Round round : rounds) {
            packing.write(round.toCompactJson().getBytes(StandardCharsets.UTF_8));
          }
          packing.finish(); // the caller closes the stream
        });
    forceFolder(target.toAbsolutePath().getParent());
    delete(unpackedPath(target));
  }

  /** A gzip stream with the best compression. */
  private static final class Packing extends GZIPOutputStream {
    Packing(OutputStream out) throws IOException {
      super(out);
      def.setLevel(Deflater.BEST_COMPRESSION);
    }
  }

  /** Replaces the packed form by the unpacked one, because lines can only be appended to that. */
  private void unpack() {
    Path open = unpackedPath(path);
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

  /** Appends a round, which is on disk when this method returns. */
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

  /** Truncates the file to {@code whole} bytes and appends a line. */
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

  /** Flushes the folder, which contains the name of a new file. Not every system supports this. */
  private static void forceFolder(Path folder) {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      // Windows does not open folders, and does not need this.
    }
  }
}
