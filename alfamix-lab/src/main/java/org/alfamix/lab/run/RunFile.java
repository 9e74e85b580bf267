package org.alfamix.lab.run;

import java.io.BufferedReader;
import java.io.IOException;
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
import java.util.Optional;
import org.alfamix.data.DataException;
import org.alfamix.data.table.JsonTree;
import org.alfamix.query.AtomicFile;

/**
 * The file of a run: a header and a line of JSON for every finished round. A line counts once its
 * end is on the disk; what follows the last end was being written when the process died, and is cut
 * off before the run goes on.
 */
public final class RunFile {
  private final Path path;
  private final RunHeader header;
  private final List<Round> rounds;

  /** Where the header ends, and after it every round. */
  private final List<Long> ends;

  private RunFile(Path path, RunHeader header, List<Round> rounds, List<Long> ends) {
    this.path = path;
    this.header = header;
    this.rounds = rounds;
    this.ends = ends;
  }

  /** The first line of a file; empty where there is none that can be read. */
  static Optional<RunHeader> header(Path path) throws IOException {
    try (BufferedReader reader = Files.newBufferedReader(path)) {
      String line = reader.readLine();
      return line == null
          ? Optional.empty()
          : Optional.of(RunHeader.of(JsonTree.parse(path, "line 1", line)));
    } catch (DataException | IllegalArgumentException | CharacterCodingException e) {
      return Optional.empty(); // whoever runs it is told
    }
  }

  /** Reads a file; empty where it is not there or its first line was never finished. */
  public static Optional<RunFile> read(Path path) {
    if (!Files.exists(path)) {
      return Optional.empty();
    }
    try {
      byte[] bytes = Files.readAllBytes(path);
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
        Round round = Round.of(JsonTree.parse(path, "line " + (i + 1), lines[i]));
        if (round.number() != i - 1) {
          throw new DataException(
              "%s, line %d: round %d, expected %d.".formatted(path, i + 1, round.number(), i - 1));
        }
        requireFollows(path, rounds.isEmpty() ? null : rounds.get(i - 2), round);
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

  public RunHeader header() {
    return header;
  }

  /** Those that were finished. */
  public List<Round> rounds() {
    return List.copyOf(rounds);
  }

  /** Begins a file; what was there is no longer. */
  static RunFile begin(Path path, RunHeader header) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new UncheckedIOException(path + ": cannot be written: " + AtomicFile.reason(e), e);
    }
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

  /** Adds a round, which is on the disk when this returns. */
  void append(Round round) {
    ends.add(append(path, ends.get(ends.size() - 1), round.toJson()));
    rounds.add(round);
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
