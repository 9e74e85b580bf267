package org.alfamix.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.alfamix.cli.Main;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands of the page for beginners, in its order and in one folder. */
@Tag("slow")
class GettingStartedTest {
  private static final Path PAGE = Path.of("..", "docs", "getting-started.md");
  private static final Pattern COMMANDS = Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL);

  @TempDir private Path folder;

  @Test
  void everyCommandRuns() throws Exception {
    String page = Files.readString(PAGE);
    List<String> blocks = COMMANDS.matcher(page).results().map(match -> match.group(1)).toList();
    assertTrue(blocks.size() >= 6, "the page has " + blocks.size() + " blocks of commands");
    StringBuilder outputs = new StringBuilder();
    for (String block : blocks) {
      outputs.append(run(block));
    }
    assertEquals(21, Files.readAllLines(folder.resolve("batch.csv")).size());
    assertEquals(21, Files.readAllLines(folder.resolve("first.csv")).size());
    assertTrue(Files.exists(folder.resolve("demo-labels.csv")));
    for (String quoted : List.of("Created 'demo' with 1,618 items.", "id,rank,score,cluster")) {
      assertTrue(page.contains(quoted) && outputs.indexOf(quoted) >= 0, quoted + "\n" + outputs);
    }
  }

  private String run(String block) throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String function =
        """
        set -eu
        export ALFAMIX_STUDIO="$PWD/studio"
        alfamix() { '%s' --add-modules=jdk.incubator.vector -XX:TieredStopAtLevel=1 -cp '%s' %s "$@"; }
        """
            .formatted(java, System.getProperty("java.class.path"), Main.class.getName());
    Process process =
        new ProcessBuilder("bash", "-c", function + block.replace("./alfamix", "alfamix"))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes());
    assertEquals(0, process.waitFor(), block + output);
    return output;
  }

  @Test
  void theResultOfSelectIsTheQuotedOne() throws Exception {
    List<String> rows =
        Pattern.compile("(?m)^\\d+,1,.*$")
            .matcher(Files.readString(PAGE))
            .results()
            .map(MatchResult::group)
            .toList();
    assertEquals(1, rows.size());
    String output =
        run(
            """
            ./alfamix example try
            ./alfamix select --embeddings try/pool.npy --labels try/labels.csv --head try/head.npz --budget 20
            """);
    // The last digits of a score depend on the processor, so only the reason is compared.
    String reason = rows.get(0).substring(rows.get(0).indexOf('"'));
    assertTrue(output.contains(reason), output);
  }
}
