package org.alfamix.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.alfamix.datasets.DatasetReader;
import org.alfamix.datasets.TextInputs;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.alfamix.io.Digest;
import org.alfamix.io.array.Npy;
import org.alfamix.io.table.JsonTree;
import org.alfamix.learn.embed.Embedder;
import org.alfamix.learn.embed.EncoderOptions;
import org.alfamix.learn.embed.TextEncoderEngine;
import org.alfamix.learn.embed.TextFeatures;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Parallel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares tokens and features with those of ONNX Runtime and tokenizers for Python, which {@code
 * make-references.py} wrote.
 */
class TextEncodersTest {

  private static Path resource(String name) {
    try {
      return Path.of(TextEncodersTest.class.getResource("/text/" + name).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> sentences() {
    return JsonTree.read(resource("sentences.json")).get("sentences").list().stream()
        .map(JsonTree::text)
        .toList();
  }

  private static FloatMatrix features(String name, EncoderOptions options, List<String> texts) {
    try (Embedder encoder = TextEncoderEngine.find().open(name, options)) {
      return encoder.embed(new TextInputs(texts, null), done -> {});
    }
  }

  private static double cosine(FloatMatrix a, int row, FloatMatrix b, int other) {
    double product = 0;
    double first = 0;
    double second = 0;
    for (int d = 0; d < a.columns(); d++) {
      product += (double) a.get(row, d) * b.get(other, d);
      first += (double) a.get(row, d) * a.get(row, d);
      second += (double) b.get(other, d) * b.get(other, d);
    }
    return product / Math.sqrt(first * second);
  }

  @Test
  void includedEncoderComputesTheFeaturesOfPython() throws IOException {
    FloatMatrix expected = Npy.open(resource("minilm.npy")).readMatrix();

    FloatMatrix actual = features(TextFeatures.MINILM, EncoderOptions.DEFAULT, sentences());

    assertEquals(expected.rows(), actual.rows());
    assertEquals(384, actual.columns());
    for (int i = 0; i < expected.rows(); i++) {
      assertEquals(1, cosine(expected, i, actual, i), tolerance(), sentences().get(i));
    }
  }

  /** On x86 processors without instructions for small integers, products may saturate. */
  private static double tolerance() throws IOException {
    Path processor = Path.of("/proc/cpuinfo");
    boolean saturates =
        System.getProperty("os.arch").equals("amd64")
            && Files.exists(processor)
            && !Files.readString(processor).contains("vnni");
    return saturates ? 0.05 : 1e-3;
  }

  @ParameterizedTest
  @ValueSource(strings = {"roberta", "xlm-roberta", "mpnet"})
  void encodersOfTheUserComputeTheFeaturesOfPython(String model) {
    FloatMatrix expected = Npy.open(resource(model + "/features.npy")).readMatrix();

    FloatMatrix actual = features(resource(model).toString(), EncoderOptions.DEFAULT, sentences());

    for (int i = 0; i < expected.rows(); i++) {
      assertArrayEquals(
          Arrays.copyOfRange(expected.array(), expected.rowOffset(i), expected.rowOffset(i) + 6),
          Arrays.copyOfRange(actual.array(), actual.rowOffset(i), actual.rowOffset(i) + 6),
          1e-5f,
          sentences().get(i));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"minilm", "roberta", "xlm-roberta", "mpnet"})
  void splitsOddTextsIntoTheTokensOfPython(String model) throws IOException {
    EncoderFiles files =
        model.equals("minilm") ? EncoderFiles.miniLm() : EncoderFiles.at(resource(model));
    Path reference =
        resource(model.equals("minilm") ? "minilm-tokens.jsonl" : model + "/tokens.jsonl");
    List<String> lines = Files.readAllLines(reference);
    assertEquals(1000, lines.size());
    try (TextTokenizer tokenizer = TextTokenizer.open(model, files.tokenizer())) {
      for (int i = 0; i < lines.size(); i++) {
        JsonTree line = JsonTree.parse(reference, "line " + (i + 1), lines.get(i));
        String text = line.get("text").text().repeat(line.get("times").integer());
        TextTokenizer.Tokens tokens = tokenizer.tokens(text);
        long[] ids = tokens.window(0, tokens.body().length);
        String found = digest(ids);
        assertEquals(
            line.get("count").integer() + " " + line.get("ids").text(),
            ids.length + " " + found,
            () -> line.get("text").text());
      }
    }
  }

  private static String digest(long[] ids) {
    byte[] text =
        LongStream.of(ids)
            .mapToObj(String::valueOf)
            .collect(Collectors.joining(","))
            .getBytes(StandardCharsets.UTF_8);
    try {
      return Digest.of(new ByteArrayInputStream(text)).sha256().substring(0, 16);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void firstTokensAreThoseOfTheWholeText() {
    List<String> texts = sentences();
    String text =
        IntStream.range(0, 2000)
            .mapToObj(i -> texts.get(i % texts.size()) + " " + i)
            .collect(Collectors.joining(" "));
    try (TextTokenizer tokenizer =
        TextTokenizer.open("minilm", EncoderFiles.miniLm().tokenizer())) {
      long[] all = tokenizer.tokens(text).body();

      long[] first = tokenizer.firstTokens(text, 256).body();

      assertTrue(first.length < all.length, "the text was split completely");
      assertArrayEquals(Arrays.copyOf(all, 256), Arrays.copyOf(first, 256));
      String spaces = " ".repeat(1_000_000) + "word";
      assertArrayEquals(tokenizer.tokens(spaces).body(), tokenizer.firstTokens(spaces, 256).body());
    }
  }

  @Test
  void halvesOfSurrogatePairsAreReplaced() {
    FloatMatrix features =
        features(
            TextFeatures.MINILM,
            EncoderOptions.DEFAULT,
            List.of("a \ud83d b", "a \ufffd b", "\ude00", "\ufffd", "😀"));

    assertEquals(1, cosine(features, 0, features, 1), 1e-6);
    assertEquals(1, cosine(features, 2, features, 3), 1e-6);
  }

  @Test
  void featuresDependNeitherOnOtherTextsNorOnThreads() {
    List<String> texts = sentences();
    FloatMatrix all = features(TextFeatures.MINILM, EncoderOptions.DEFAULT, texts);
    FloatMatrix one =
        Parallel.with(
            1, () -> features(TextFeatures.MINILM, EncoderOptions.DEFAULT, texts.subList(3, 4)));

    assertArrayEquals(
        one.array(), Arrays.copyOfRange(all.array(), all.rowOffset(3), all.rowOffset(4)));
  }

  @Test
  void similarTextsHaveSimilarFeatures() {
    FloatMatrix features =
        features(
            TextFeatures.MINILM,
            EncoderOptions.DEFAULT,
            List.of(
                "My card was charged twice.",
                "I paid two times with the same card.",
                "The printer has no paper."));

    assertTrue(cosine(features, 0, features, 1) > cosine(features, 0, features, 2) + 0.3);
  }

  @Test
  void longTextsAreCutOrAveraged() {
    String start = "word ".repeat(300);
    List<String> texts = List.of(start, start + "printer paper ".repeat(200), "short");
    try (Embedder cut = TextEncoderEngine.find().open(TextFeatures.MINILM, EncoderOptions.DEFAULT);
        Embedder windows =
            TextEncoderEngine.find()
                .open(TextFeatures.MINILM, options(DatasetReader.LONG_TEXTS, "windows"))) {
      FloatMatrix byCut = cut.embed(new TextInputs(texts, null), done -> {});
      FloatMatrix byWindows = windows.embed(new TextInputs(texts, null), done -> {});

      assertEquals(1, cosine(byCut, 0, byCut, 1), 1e-6);
      assertTrue(cosine(byWindows, 0, byWindows, 1) < 0.9);
      assertEquals(1, cosine(byCut, 2, byWindows, 2), 1e-6);
      assertEquals(
          List.of("2 of 3 texts have more than 256 tokens; only the first 256 are used."),
          cut.remarks());
      assertEquals(
          List.of(
              "2 of 3 texts have more than 256 tokens; the features of their parts are averaged."),
          windows.remarks());
    }
  }

  @Test
  void tenMillionCharactersAreEncoded() {
    for (String way : List.of("cut", "windows")) {
      FloatMatrix features =
          features(
              TextFeatures.MINILM,
              options(DatasetReader.LONG_TEXTS, way),
              List.of("invoice ".repeat(1_250_000), "x".repeat(10_000_000)));
      assertEquals(1, cosine(features, 0, features, 0), 1e-6);
    }
  }

  private static EncoderOptions options(String... pairs) {
    return EncoderOptions.parse(
        IntStream.range(0, pairs.length / 2)
            .boxed()
            .collect(Collectors.toMap(i -> pairs[2 * i], i -> pairs[2 * i + 1])));
  }

  @Test
  void rejectsMoreTokensThanTheModelTakes() {
    InvalidRequestException failure =
        assertThrows(
            InvalidRequestException.class,
            () ->
                features(
                    TextFeatures.MINILM,
                    options(DatasetReader.MAX_TOKENS, "1000"),
                    List.of("text")));

    assertEquals(
        "max-tokens is 1000, but the encoder takes at most 512 tokens.", failure.getMessage());
  }

  @Test
  void optionsChangeTheFeatures() {
    String model = resource("mpnet").toString();
    List<String> texts = sentences().subList(0, 2);
    FloatMatrix usual = features(model, EncoderOptions.DEFAULT, texts);
    FloatMatrix prefixed =
        features(
            model,
            options(DatasetReader.TEXT_PREFIX, "query: "),
            texts.stream().map(text -> text.substring(0)).toList());
    FloatMatrix written =
        features(model, EncoderOptions.DEFAULT, texts.stream().map(t -> "query: " + t).toList());
    FloatMatrix first = features(model, options(DatasetReader.TEXT_POOLING, "cls"), texts);
    FloatMatrix raw = features(model, options(DatasetReader.TEXT_NORMALIZE, "no"), texts);

    assertArrayEquals(written.array(), prefixed.array());
    assertTrue(cosine(first, 0, usual, 0) < 0.999);
    assertTrue(cosine(usual, 0, usual, 1) < 0.999);
    assertEquals(1, cosine(raw, 0, usual, 0), 1e-6);
    assertTrue(Math.abs(lengthOf(raw, 0) - 1) > 0.1);
    assertEquals(1, lengthOf(usual, 0), 1e-6);
  }

  private static double lengthOf(FloatMatrix rows, int row) {
    return Math.sqrt(
        IntStream.range(0, rows.columns())
            .mapToDouble(d -> (double) rows.get(row, d) * rows.get(row, d))
            .sum());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          missing       | found no model.onnx, onnx/model.onnx
          no tokenizer  | found no tokenizer.json beside the model
          bad tokenizer | cannot be read as a tokenizer
          bad model     | cannot be read as ONNX
          dense         | the module sentence_transformers.models.Dense is not supported
          last token    | pooling_mode_lasttoken is not supported
          images        | found the inputs
          """)
  void invalidEncodersAreNamed(String problem, String message, @TempDir Path folder)
      throws IOException {
    copy("mpnet", folder);
    switch (problem) {
      case "missing" -> Files.delete(folder.resolve("model.onnx"));
      case "no tokenizer" -> Files.delete(folder.resolve("tokenizer.json"));
      case "bad tokenizer" -> Files.writeString(folder.resolve("tokenizer.json"), "{}");
      case "bad model" -> Files.writeString(folder.resolve("model.onnx"), "no model");
      case "dense" ->
          Files.writeString(
              folder.resolve("modules.json"),
              "[{\"type\": \"sentence_transformers.models.Dense\"}]");
      case "last token" ->
          Files.writeString(
              folder.resolve("1_Pooling").resolve("config.json"),
              "{\"pooling_mode_lasttoken\": true}");
      default ->
          Files.write(
              folder.resolve("model.onnx"),
              TextEncodersTest.class.getResourceAsStream("/onnx/small.onnx").readAllBytes());
    }

    DataException failure =
        assertThrows(
            DataException.class,
            () -> features(folder.toString(), EncoderOptions.DEFAULT, List.of("text")));

    assertTrue(failure.getMessage().contains(message), failure.getMessage());
    assertEquals(1, failure.getMessage().lines().count());
  }

  @Test
  void filesMayBeInTheLayoutOfHuggingFace(@TempDir Path folder) throws IOException {
    copy("roberta", folder);
    Files.createDirectory(folder.resolve("onnx"));
    Files.move(folder.resolve("model.onnx"), folder.resolve("onnx").resolve("model.onnx"));
    FloatMatrix expected =
        features(resource("roberta").toString(), EncoderOptions.DEFAULT, List.of("text"));

    for (String name : List.of("", "onnx/model.onnx")) {
      FloatMatrix found =
          features(folder.resolve(name).toString(), EncoderOptions.DEFAULT, List.of("text"));
      assertArrayEquals(expected.array(), found.array());
    }
  }

  @Test
  void digestsDifferByModelAndOptions() {
    List<String> digests =
        List.of(
                Map.entry("roberta", EncoderOptions.DEFAULT),
                Map.entry("mpnet", EncoderOptions.DEFAULT),
                Map.entry("mpnet", options(DatasetReader.TEXT_PREFIX, "query: ")),
                Map.entry("mpnet", options(DatasetReader.TEXT_POOLING, "cls")),
                Map.entry("mpnet", options(DatasetReader.MAX_TOKENS, "16")))
            .stream()
            .map(
                each -> {
                  try (Embedder encoder =
                      TextEncoderEngine.find()
                          .open(resource(each.getKey()).toString(), each.getValue())) {
                    return encoder.digest();
                  }
                })
            .toList();

    assertEquals(digests.size(), digests.stream().distinct().count());
  }

  private static void copy(String model, Path folder) throws IOException {
    for (String name :
        List.of(
            "model.onnx",
            "tokenizer.json",
            "config.json",
            "modules.json",
            "1_Pooling/config.json")) {
      Path target = folder.resolve(name);
      Files.createDirectories(target.getParent());
      Files.copy(resource(model).resolve(name), target);
    }
  }
}
