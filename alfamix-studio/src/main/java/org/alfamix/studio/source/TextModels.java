package org.alfamix.studio.source;

import java.nio.file.Path;
import java.util.function.IntConsumer;
import org.alfamix.datasets.DownloadListeners;
import org.alfamix.datasets.Inputs;
import org.alfamix.learn.embed.BackboneDatasetReader;
import org.alfamix.learn.embed.EncoderOptions;
import org.alfamix.learn.embed.TextFeatures;
import org.alfamix.learn.embed.TextModel;

/** The features of a project's texts, computed when they are first needed. */
final class TextModels implements AutoCloseable {
  private final Inputs texts;
  private final Path dataFolder;
  private TextModel model;
  private String modelOf;

  TextModels(Inputs texts, Path dataFolder) {
    this.texts = texts;
    this.dataFolder = dataFolder;
  }

  /**
   * Returns the features by their name.
   *
   * @param features minilm, ngrams or the folder of an encoder; anything else means the default
   * @param progress receives the number of completed texts
   */
  synchronized ModelInput input(String features, IntConsumer progress) {
    boolean named = TextFeatures.isBuiltIn(features) || TextFeatures.isAbsolutePath(features);
    String name = named ? features : TextFeatures.DEFAULT;
    if (model == null || !name.equals(modelOf)) {
      close();
      model =
          new TextFeatures(dataFolder, name, EncoderOptions.DEFAULT)
              .open(texts, new Listener(progress));
      modelOf = name;
    }
    return new ModelInput.Texts(model);
  }

  @Override
  public synchronized void close() {
    if (model != null) {
      model.close();
      model = null;
    }
  }

  private record Listener(IntConsumer progress) implements BackboneDatasetReader.Listener {
    @Override
    public Download begin(String name) {
      return DownloadListeners.SILENT.begin(name);
    }

    @Override
    public BackboneDatasetReader.FeatureProgress features(String backbone, String items) {
      return (done, all) -> progress.accept(done);
    }
  }
}
