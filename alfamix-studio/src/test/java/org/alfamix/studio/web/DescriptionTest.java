package org.alfamix.studio.web;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.InputStream;
import java.util.Map;
import java.util.TreeSet;
import org.alfamix.studio.engine.ProjectOptions;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The OpenAPI description contains exactly the routes of the REST API. */
class DescriptionTest {

  private static Map<?, ?> description() throws Exception {
    try (InputStream in = Api.class.getResourceAsStream("openapi.yaml")) {
      return (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromInputStream(in);
    }
  }

  private static Map<?, ?> field(Map<?, ?> fields, String... names) {
    Map<?, ?> found = fields;
    for (String name : names) {
      found = (Map<?, ?>) found.get(name);
    }
    return found;
  }

  @Test
  void listsAllFeatures() throws Exception {
    Map<?, ?> features =
        field(description(), "components", "schemas", "Options", "properties", "features");
    assertEquals(ProjectOptions.FEATURES, features.get("enum"));
  }

  @Test
  void describesAllRoutes() throws Exception {
    TreeSet<String> routes = new TreeSet<>();
    new Api(null).routes().forEach(route -> routes.add(route.method() + " " + route.path()));
    TreeSet<String> described = new TreeSet<>();
    field(description(), "paths")
        .forEach(
            (path, methods) ->
                ((Map<?, ?>) methods)
                    .keySet().stream()
                        .map(String::valueOf)
                        .filter(method -> !method.equals("parameters"))
                        .forEach(method -> described.add(method.toUpperCase() + " " + path)));
    assertEquals(String.join("\n", routes), String.join("\n", described));
  }
}
