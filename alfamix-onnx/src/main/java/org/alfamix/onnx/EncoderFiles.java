package org.alfamix.onnx;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.alfamix.datasets.DatasetReader;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.alfamix.io.Digest;
import org.alfamix.io.table.JsonTree;
import org.alfamix.learn.embed.EncoderOptions;
import org.alfamix.learn.embed.EncoderOptions.Pooling;

/**
 * The files of a text encoder, and the options that they contain: the included one, or a folder in
 * the layout of Hugging Face, optionally with the files of sentence-transformers.
 *
 * @param modelName the name of the model for messages
 * @param model the model; empty if it is read from the path
 * @param modelPath the path of the model; empty if it is in memory
 * @param tokenizerName the name of the tokenizer for messages
 * @param tokenizer the content of {@code tokenizer.json}
 * @param maxTokens number of tokens at which texts are cut by default
 * @param tokenLimit the largest number of tokens that the model takes
 * @param digest a text that identifies model and tokenizer
 */
record EncoderFiles(
    String modelName,
    Optional<byte[]> model,
    Optional<Path> modelPath,
    String tokenizerName,
    String tokenizer,
    Pooling pooling,
    boolean normalize,
    int maxTokens,
    int tokenLimit,
    String digest) {

  private static final String MODEL = "all-minilm-l6-v2-q.onnx";
  private static final String MODEL_SHA256 =
      "afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1";
  private static final String TOKENIZER = "all-minilm-l6-v2-q-tokenizer.json";
  private static final String TOKENIZER_SHA256 =
      "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0";

  /** The length of the texts that all-MiniLM-L6-v2 is published for. */
  private static final int MINILM_TOKENS = 256;

  private static final int USUAL_TOKENS = 512;

  /** Some tokenizers state a length of 10^30 to say that there is no limit. */
  private static final long NO_LIMIT = 1_000_000;

  private static final List<String> POOLING_MODES =
      List.of(
          "pooling_mode_mean_tokens",
          "pooling_mode_cls_token",
          "pooling_mode_max_tokens",
          "pooling_mode_mean_sqrt_len_tokens",
          "pooling_mode_weightedmean_tokens",
          "pooling_mode_lasttoken");

  private static final List<String> MODEL_FILES =
      List.of("model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx");

  /** Returns the included encoder, after verifying its files. */
  static EncoderFiles miniLm() {
    return new EncoderFiles(
        MODEL,
        Optional.of(resource(MODEL, MODEL_SHA256)),
        Optional.empty(),
        TOKENIZER,
        new String(resource(TOKENIZER, TOKENIZER_SHA256), StandardCharsets.UTF_8),
        Pooling.MEAN,
        true,
        MINILM_TOKENS,
        USUAL_TOKENS,
        MODEL_SHA256 + TOKENIZER_SHA256);
  }

  private static byte[] resource(String name, String sha256) {
    try (InputStream in = EncoderFiles.class.getResourceAsStream("/" + name)) {
      if (in == null) {
        throw new DataException(name + " is not on the class path; it belongs to alfamix-onnx.");
      }
      byte[] content = in.readAllBytes();
      String found = Digest.of(new ByteArrayInputStream(content)).sha256();
      if (!found.equals(sha256)) {
        throw new DataException("%s: SHA-256 is %s, expected %s.".formatted(name, found, sha256));
      }
      return content;
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + name + ".", e);
    }
  }

  /**
   * Reads an encoder of the user.
   *
   * @param path a folder, or the ONNX file in it
   */
  static EncoderFiles at(Path path) {
    Path model = model(path);
    Path folder = folder(model);
    Path tokenizer = folder.resolve("tokenizer.json");
    try {
      return new EncoderFiles(
          model.toString(),
          Optional.empty(),
          Optional.of(model),
          tokenizer.toString(),
          Files.readString(tokenizer),
          pooling(folder),
          normalizes(folder),
          maxTokens(folder),
          tokenLimit(folder),
          digest(model) + Digest.of(tokenizer).sha256());
    } catch (IOException e) {
      throw DataException.unreadable(tokenizer, e);
    }
  }

  private static Path model(Path path) {
    if (Files.isRegularFile(path)) {
      return path;
    }
    return MODEL_FILES.stream()
        .map(path::resolve)
        .filter(Files::isRegularFile)
        .findFirst()
        .orElseThrow(
            () ->
                new DataException(
                    "%s: found no %s, expected a folder with a text encoder in ONNX format."
                        .formatted(path, String.join(", ", MODEL_FILES))));
  }

  /** Returns the folder with the tokenizer: that of the model, or the one above it. */
  private static Path folder(Path model) {
    Path own = model.toAbsolutePath().getParent();
    return Stream.of(own, own.getParent())
        .filter(folder -> folder != null && Files.isRegularFile(folder.resolve("tokenizer.json")))
        .findFirst()
        .orElseThrow(
            () ->
                new DataException(
                    "%s: found no tokenizer.json beside the model or in the folder above it."
                        .formatted(model)));
  }

  /** Returns a digest of a model with the files of its weights, if they are separate. */
  private static String digest(Path model) throws IOException {
    StringBuilder digests = new StringBuilder(Digest.of(model).sha256());
    String name = model.getFileName().toString();
    try (Stream<Path> files = Files.list(model.toAbsolutePath().getParent())) {
      for (Path file : files.sorted().toList()) {
        String other = file.getFileName().toString();
        if (other.startsWith(name + "_data") || other.startsWith(name + ".data")) {
          digests.append(Digest.of(file).sha256());
        }
      }
    }
    return digests.toString();
  }

  private static Optional<JsonTree> json(Path file) {
    return Files.isRegularFile(file) ? Optional.of(JsonTree.read(file)) : Optional.empty();
  }

  private static Pooling pooling(Path folder) {
    Path file = folder.resolve("1_Pooling").resolve("config.json");
    Optional<JsonTree> config = json(file);
    if (config.isEmpty()) {
      return Pooling.MEAN;
    }
    List<String> modes =
        POOLING_MODES.stream()
            .filter(mode -> config.get().has(mode) && config.get().get(mode).flag())
            .toList();
    if (modes.size() != 1) {
      throw new DataException("%s: expected one way of pooling, found %s.".formatted(file, modes));
    }
    return switch (modes.get(0)) {
      case "pooling_mode_mean_tokens" -> Pooling.MEAN;
      case "pooling_mode_cls_token" -> Pooling.CLS;
      case "pooling_mode_max_tokens" -> Pooling.MAX;
      default ->
          throw new DataException(
                  "%s: %s is not supported; supported are mean, cls and max."
                      .formatted(file, modes.get(0)))
              .advise("choose one", "textPooling");
    };
  }

  private static boolean normalizes(Path folder) {
    Path file = folder.resolve("modules.json");
    Optional<JsonTree> modules = json(file);
    if (modules.isEmpty()) {
      return true;
    }
    List<String> types =
        modules.get().list().stream().map(module -> module.get("type").text()).toList();
    for (String type : types) {
      if (!type.matches(".*\\.(Transformer|Pooling|Normalize)")) {
        throw new DataException(
            "%s: the module %s is not supported; expected Transformer, Pooling and Normalize."
                .formatted(file, type));
      }
    }
    return types.stream().anyMatch(type -> type.endsWith(".Normalize"));
  }

  private static int maxTokens(Path folder) {
    long stated =
        number(folder.resolve("sentence_bert_config.json"), "max_seq_length")
            .orElseGet(
                () ->
                    number(folder.resolve("tokenizer_config.json"), "model_max_length")
                        .orElse(USUAL_TOKENS));
    long limit = Math.min(stated, tokenLimit(folder));
    return (int) (limit > 0 && limit < NO_LIMIT ? limit : USUAL_TOKENS);
  }

  private static int tokenLimit(Path folder) {
    Path config = folder.resolve("config.json");
    long positions = number(config, "max_position_embeddings").orElse(NO_LIMIT);
    // The positions of these models start after that of padding.
    boolean shifted =
        json(config)
            .filter(tree -> tree.has("model_type"))
            .map(tree -> tree.get("model_type").text())
            .filter(type -> type.matches("(xlm-|xlm_)?roberta|camembert|mpnet"))
            .isPresent();
    long limit = shifted ? positions - 2 : positions;
    return (int) (limit > 0 ? limit : NO_LIMIT);
  }

  private static OptionalLong number(Path file, String key) {
    Optional<JsonTree> tree = json(file).filter(json -> json.has(key));
    return tree.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of((long) Math.min(tree.get().get(key).number(), NO_LIMIT));
  }

  /**
   * Returns options without empty values: those given, otherwise those of the encoder.
   *
   * @throws InvalidRequestException if more tokens are requested than the model takes
   */
  EncoderOptions options(EncoderOptions given) {
    if (given.maxTokens().orElse(0) > tokenLimit) {
      throw new InvalidRequestException(
          DatasetReader.MAX_TOKENS,
          "is %d, but the encoder takes at most %d tokens."
              .formatted(given.maxTokens().getAsInt(), tokenLimit));
    }
    return new EncoderOptions(
        given.pooling().or(() -> Optional.of(pooling)),
        given.normalize().or(() -> Optional.of(normalize)),
        given.prefix().or(() -> Optional.of("")),
        given.maxTokens().isPresent() ? given.maxTokens() : OptionalInt.of(maxTokens),
        given.longTexts());
  }
}
