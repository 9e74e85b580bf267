package org.alfamix.studio.source;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.alfamix.datasets.TextInputs;
import org.alfamix.io.DataException;
import org.alfamix.io.table.TableSource;
import org.alfamix.io.table.Tables;
import org.alfamix.learn.embed.NgramFeatures;
import org.alfamix.math.FloatMatrix;
import org.alfamix.select.PoolReader;

/**
 * Texts or links, one per row of a table, with given embeddings; features of texts are computed.
 */
final class ListedItems implements ItemSource {
  private final List<String> names = new ArrayList<>();
  private final List<String> contents = new ArrayList<>();

  /** Computed when they are first needed if they are not given. */
  private FloatMatrix embeddings;

  private final Function<String, DisplayedItem> shown;

  /** The usual names of a column of texts. */
  private static final List<String> TEXT_COLUMNS =
      List.of("text", "body", "message", "content", "question", "sentence", "comment", "review");

  /**
   * @param column the column with the text; empty for the first or, if features are computed, for
   *     one with a usual name, because features of ids would be useless
   * @param array the embeddings, or empty to compute features of the texts
   */
  ListedItems(Path file, String column, String array, Function<String, DisplayedItem> shown) {
    this.shown = shown;
    try (TableSource table = Tables.open(file)) {
      int first = array.isEmpty() ? usualColumn(table.columns()) : 0;
      int at = column.isEmpty() ? first : table.requireColumn(column);
      while (table.next()) {
        String text = table.text(at);
        contents.add(text == null ? "" : text);
        names.add(table.place());
      }
    }
    if (array.isEmpty()) {
      return;
    }
    embeddings = PoolReader.standard().read(array).embeddings().toMatrix();
    if (embeddings.rows() != contents.size()) {
      throw new DataException(
          "%s has %d rows, but %s has %d; expected one embedding per row."
              .formatted(array, embeddings.rows(), file, contents.size()));
    }
  }

  private static int usualColumn(List<String> columns) {
    return TEXT_COLUMNS.stream()
        .mapToInt(columns::indexOf)
        .filter(at -> at >= 0)
        .findFirst()
        .orElse(0);
  }

  @Override
  public List<String> names() {
    return List.copyOf(names);
  }

  @Override
  public DisplayedItem show(int item) {
    return shown.apply(contents.get(item));
  }

  @Override
  public synchronized ModelInput modelInput() {
    if (embeddings == null) {
      TextInputs texts = new TextInputs(contents, names);
      embeddings = NgramFeatures.fit(texts).of(texts);
    }
    return new ModelInput.Given(embeddings);
  }
}
