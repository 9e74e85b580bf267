package org.alfamix.studio.web;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import io.javalin.http.Context;
import java.util.HashMap;
import java.util.Map;

/** Renders the templates in {@code src/main/jte}, which are compiled into this package. */
final class Pages {
  private static final TemplateEngine ENGINE =
      TemplateEngine.createPrecompiled(
          null, ContentType.Html, Pages.class.getClassLoader(), Pages.class.getPackageName());

  private Pages() {}

  /**
   * Answers a request with a template.
   *
   * @param values the parameters of the template except its texts
   */
  static void render(Context context, String template, Map<String, Object> values) {
    Map<String, Object> parameters = new HashMap<>(values);
    parameters.put("t", Texts.ENGLISH);
    StringOutput output = new StringOutput();
    ENGINE.render(template, parameters, output);
    context.html(output.toString());
  }
}
