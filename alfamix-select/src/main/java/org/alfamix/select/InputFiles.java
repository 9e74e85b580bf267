package org.alfamix.select;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.alfamix.io.DataException;
import org.alfamix.io.Digest;

/** The input files of a query with their sizes and SHA-256 digests, computed in the background. */
public final class InputFiles {
  /**
   * One file.
   *
   * @param role its role: {@code embeddings}, {@code labels}, …
   * @param sha256 null for a pipe, which can only be read once
   */
  public record InputFile(String role, Path path, long bytes, String sha256) {}

  private final List<CompletableFuture<InputFile>> digests = new ArrayList<>();
  private final Executor worker =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "alfamix-digest");
            thread.setDaemon(true);
            return thread;
          });

  /** Starts to compute the digest of a file. */
  public void add(String role, Path path) {
    digests.add(
        Files.isRegularFile(path)
            ? CompletableFuture.supplyAsync(() -> digest(role, path), worker)
            : CompletableFuture.completedFuture(new InputFile(role, path, 0, null)));
  }

  /** Waits for the digests and returns all files. */
  public List<InputFile> all() {
    try {
      return digests.stream().map(CompletableFuture::join).toList();
    } catch (CompletionException e) {
      throw e.getCause() instanceof DataException unreadable ? unreadable : e;
    }
  }

  private static InputFile digest(String role, Path path) {
    Digest digest = Digest.of(path);
    return new InputFile(role, path, digest.bytes(), digest.sha256());
  }
}
