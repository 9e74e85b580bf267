package org.alfamix.chart;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class SvgTest {
  private static Element parse(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)))
        .getDocumentElement();
  }

  @Test
  void escapesTexts() throws Exception {
    String odd = "<b> \"a\" & 'b'";
    Svg svg = new Svg("class=\"map\"", 20, 10, odd);
    svg.text("label", "start", 1, 2, odd).circle("dot", "data-item=\"3\"", 1, 2, 3, odd);
    Element drawing = parse(svg.end());
    assertEquals(odd, drawing.getAttribute("aria-label"));
    assertEquals("map", drawing.getAttribute("class"));
    assertEquals(odd, drawing.getElementsByTagName("text").item(0).getTextContent());
    Element circle = (Element) drawing.getElementsByTagName("circle").item(0);
    assertEquals(odd, circle.getTextContent());
    assertEquals("3", circle.getAttribute("data-item"));
  }

  @Test
  void writesValidXmlForEveryShape() throws Exception {
    Svg svg = new Svg(20, 10, "shapes");
    svg.line("grid", 0, 0, 1, 1).path("curve", "M0 0L1 1", null).rect("bar", 0, 0, -1, 2, "t");
    for (int shape = 0; shape < 4; shape++) {
      svg.mark("c1", shape, 5, 5, 2, null);
    }
    assertEquals(7, parse(svg.end()).getElementsByTagName("*").getLength() - 1);
    assertTrue(svg.end().contains("width=\"0\""), "a negative width becomes 0");
  }

  @Test
  void formatsNumbersWithAtMostOneDecimal() {
    assertEquals("1.3", Svg.number(1.26));
    assertEquals("-2", Svg.number(-2.04));
  }

  @Test
  void coversTheValuesWithTicksAtRoundNumbers() {
    Axis axis = Axis.covering(0.13, 0.87, 5, 100, 0);
    assertArrayEquals(new double[] {0, 0.2, 0.4, 0.6, 0.8, 1}, axis.ticks(), 1e-9);
    assertEquals(100, axis.at(0));
    assertEquals(0, axis.at(1), 1e-9);
    assertEquals("0.2", axis.label(axis.ticks()[1]));
    Axis flat = Axis.covering(3, 3, 5, 0, 1);
    assertTrue(flat.low() <= 3 && flat.high() > 3, flat.toString());
  }

  @Test
  void wrapsAWideLegend() {
    List<double[]> places = Legend.rows(List.of("alfamix", "random", "badge"), 160);
    assertEquals(0, places.get(0)[1]);
    assertEquals(0, places.get(1)[1]);
    assertArrayEquals(new double[] {0, 1}, places.get(2));
  }
}
