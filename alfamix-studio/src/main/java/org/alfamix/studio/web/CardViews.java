package org.alfamix.studio.web;

import java.util.List;

/** Views of the items that an annotator is asked to label. */
final class CardViews {
  private CardViews() {}

  /** A view of the next items: a card, a grid, or a note that there are none. */
  sealed interface Next {}

  /**
   * A single item.
   *
   * @param request identifier of the answer, so that an answer that is sent twice counts once
   * @param ahead items that come next, which the browser loads in advance
   */
  record Card(
      String path,
      int item,
      StateView state,
      ItemView shown,
      Reasons.Reason reason,
      List<Near> near,
      List<Answer> answers,
      List<ItemView> ahead,
      String request,
      String undoRequest)
      implements Next {}

  /** Several items, any of which can be answered together. */
  record Grid(
      String path,
      StateView state,
      List<Cell> cells,
      List<Answer> answers,
      String request,
      String undoRequest)
      implements Next {}

  /** No items, for a reason. */
  record Nothing(String path, String view, StateView state, String reason, String undoRequest)
      implements Next {}

  /**
   * An item of a grid.
   *
   * @param predicted id of the predicted class; null for none
   */
  record Cell(int item, String predicted, ItemView shown, String caption) {}

  /** A similar labelled item. */
  record Near(String address, ItemView shown, String label) {}

  /**
   * A button for a class.
   *
   * @param key on the keyboard; null for none
   */
  record Answer(long id, String key, String name, boolean predicted) {}
}
