package org.alfamix.spark;

import java.util.List;
import java.util.Map;
import org.alfamix.io.DataException;
import org.alfamix.math.FloatMatrix;
import org.alfamix.model.LinearHead;
import org.alfamix.select.ClassNames;
import org.alfamix.select.KnownModel;
import org.alfamix.select.Labels;
import org.alfamix.strategy.QueryStrategy;
import org.alfamix.strategy.Strategies;

/**
 * The model of a selection: the labelled rows and the head.
 *
 * @param labelled number of labelled rows
 * @param bad the invalid rows
 * @param remark a note on the model for the user; null for none
 * @param seconds time of reading and fitting
 */
record LabelledModel(SharedModel model, int labelled, BadRows bad, String remark, double seconds) {

  /**
   * The parameters of the caller.
   *
   * @param head null to fit one
   * @param classNames names of the classes in the order of the head; null to use the labels
   * @param labelColumn null if there are no labels
   * @param skipBadRows whether invalid rows are skipped rather than rejected
   */
  record Request(
      String strategy,
      Map<String, String> options,
      long seed,
      LinearHead head,
      List<String> classNames,
      String labelColumn,
      boolean skipBadRows) {}

  /**
   * Reads the labelled rows and fits a head if none is given.
   *
   * @param pool the table of the pool
   * @param labelledTable the table of the labelled items, which may be the pool
   */
  static LabelledModel of(Request request, PoolTable pool, PoolTable labelledTable) {
    long start = System.nanoTime();
    QueryStrategy method = Strategies.create(request.strategy(), request.options());
    LinearHead given = request.head();
    boolean labels = request.labelColumn() != null;
    PoolTable.Labelled found =
        labels ? labelledTable.labelled(given == null ? 0 : given.features()) : null;
    BadRows bad = labels ? found.bad() : BadRows.NONE;
    if (bad.count() > 0 && !request.skipBadRows()) {
      throw new DataException(Outcome.capitalize(bad.describe()));
    }
    int count = labels ? found.labels().size() : 0;
    Labels read =
        count == 0
            ? Labels.none()
            : Labels.of("column " + request.labelColumn(), found.ids(), found.labels());
    KnownModel model =
        KnownModel.of(
            method,
            read,
            first -> count == 0 ? FloatMatrix.zeros(0, 0) : found.rows().slice(0, first),
            new KnownModel.Given(
                given,
                request.classNames(),
                given == null ? 0 : given.classes(),
                "the head",
                false,
                false));
    int features =
        given != null
            ? given.features()
            : count > 0 ? found.rows().columns() : pool.features(request.skipBadRows());
    ClassNames classes = model.classes();
    SharedModel shared =
        new SharedModel(
            request.strategy(),
            request.options(),
            request.seed(),
            (LinearHead) model.head(), // the given head, or a fitted one
            method.usesLabelled() && count > 0 ? model.labelled() : FloatMatrix.zeros(0, features),
            classes.labels(),
            classes.count(),
            classes.names());
    return new LabelledModel(shared, count, bad, model.remark(), (System.nanoTime() - start) / 1e9);
  }
}
