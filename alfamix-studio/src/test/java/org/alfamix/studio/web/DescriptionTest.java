package org.alfamix.studio.web;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.InputStream;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Every request that programs can make is described, and nothing else. */
class DescriptionTest {

  @Test
  void describesWhatThereIs() throws Exception {
    TreeSet<String> there = new TreeSet<>();
    new Api(null).routes().forEach(route -> there.add(route.method() + " " + route.path()));
    TreeSet<String> described = new TreeSet<>();
    try (InputStream in = Api.class.getResourceAsStream("openapi.yaml")) {
      Map<?, ?> tree = (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromInputStream(in);
      ((Map<?, ?>) tree.get("paths"))
          .forEach(
              (path, methods) ->
                  ((Map<?, ?>) methods)
                      .keySet().stream()
                          .map(String::valueOf)
                          .filter(method -> !method.equals("parameters"))
                          .forEach(method -> described.add(method.toUpperCase() + " " + path)));
    }
    assertEquals(String.join("\n", there), String.join("\n", described));
  }
}
