package org.alfamix.studio.source;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.alfamix.io.DataException;
import org.alfamix.io.table.TableSource;
import org.alfamix.io.table.Tables;
import org.alfamix.math.FloatMatrix;
import org.alfamix.select.PoolReader;

/** Texts or links, one per row of a table, with given embeddings. */
final class ListedItems implements ItemSource {
  private final List<String> names = new ArrayList<>();
  private final List<String> contents = new ArrayList<>();
  private final FloatMatrix embeddings;
  private final Function<String, DisplayedItem> shown;

  /**
   * @param column the column with the text; empty for the first
   */
  ListedItems(Path file, String column, Path array, Function<String, DisplayedItem> shown) {
    this.shown = shown;
    try (TableSource table = Tables.open(file)) {
      int at = column.isEmpty() ? 0 : table.requireColumn(column);
      while (table.next()) {
        String text = table.text(at);
        contents.add(text == null ? "" : text);
        names.add(table.place());
      }
    }
    embeddings = PoolReader.standard().read(array.toString()).embeddings().toMatrix();
    if (embeddings.rows() != contents.size()) {
      throw new DataException(
          "%s has %d rows, but %s has %d; expected one embedding per row."
              .formatted(array, embeddings.rows(), file, contents.size()));
    }
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
  public ModelInput modelInput() {
    return new ModelInput.Given(embeddings);
  }
}
