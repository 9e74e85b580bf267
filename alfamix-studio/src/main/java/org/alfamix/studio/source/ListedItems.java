package org.alfamix.studio.source;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.alfamix.datasets.ListedTexts;
import org.alfamix.datasets.TextInputs;
import org.alfamix.io.DataException;
import org.alfamix.io.table.TableSource;
import org.alfamix.io.table.Tables;
import org.alfamix.math.FloatMatrix;
import org.alfamix.select.PoolReader;

/**
 * Texts or links, one per row of a table, with given embeddings; or texts of a table, a text file
 * or a folder, whose features are computed.
 */
final class ListedItems implements ItemSource {
  private final TextInputs contents;
  private final Function<String, DisplayedItem> shown;

  /** Given embeddings; null if features are computed. */
  private final FloatMatrix embeddings;

  private final TextModels models;

  private ListedItems(
      TextInputs contents,
      Function<String, DisplayedItem> shown,
      FloatMatrix embeddings,
      Path dataFolder) {
    this.contents = contents;
    this.shown = shown;
    this.embeddings = embeddings;
    this.models = new TextModels(contents, dataFolder);
  }

  /** Reads texts whose features are computed. */
  static ListedItems texts(Path path, ListedTexts.Columns columns, Path dataFolder) {
    return new ListedItems(
        ListedTexts.read(path, columns).inputs(), DisplayedItem.Text::new, null, dataFolder);
  }

  /**
   * Reads rows with given embeddings.
   *
   * @param columns the column with the content, or null for the first, and that of the ids
   * @param array the embeddings
   */
  static ListedItems rows(
      Path file,
      ListedTexts.Columns columns,
      String array,
      Function<String, DisplayedItem> shown,
      Path dataFolder) {
    String column = columns.text() == null ? firstColumn(file) : columns.text();
    TextInputs contents =
        ListedTexts.read(file, new ListedTexts.Columns(column, columns.id(), null)).inputs();
    FloatMatrix embeddings = PoolReader.standard().read(array).embeddings().toMatrix();
    if (embeddings.rows() != contents.size()) {
      throw new DataException(
          "%s has %d rows, but %s has %d; expected one embedding per row."
              .formatted(array, embeddings.rows(), file, contents.size()));
    }
    return new ListedItems(contents, shown, embeddings, dataFolder);
  }

  private static String firstColumn(Path file) {
    try (TableSource table = Tables.open(file)) {
      if (table.columns().isEmpty()) {
        throw new DataException(file + ": the table has no columns.");
      }
      return table.columns().get(0);
    }
  }

  @Override
  public List<String> names() {
    return IntStream.range(0, contents.size()).mapToObj(contents::id).toList();
  }

  @Override
  public DisplayedItem show(int item) {
    return shown.apply(contents.text(item));
  }

  @Override
  public boolean hasTexts() {
    return embeddings == null;
  }

  @Override
  public ModelInput modelInput() {
    return modelInput("", done -> {});
  }

  @Override
  public ModelInput modelInput(String features, IntConsumer progress) {
    return embeddings == null ? models.input(features, progress) : new ModelInput.Given(embeddings);
  }

  @Override
  public void close() {
    models.close();
  }
}
