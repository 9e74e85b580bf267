package org.alfamix.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * The published modules follow the rules of Maven Central, and a second build gives the same jars.
 */
@Tag("slow")
class ReleaseIT {

  /** Returns the modules that a release contains. */
  static List<String> published() throws Exception {
    List<String> modules = new ArrayList<>();
    for (String module : texts(pom(""), "modules", "module")) {
      if (!"true".equals(property(pom(module), "maven.deploy.skip"))) {
        modules.add(module);
      }
    }
    assertTrue(modules.size() >= 15, modules.toString());
    return modules;
  }

  static Stream<String> jars() throws Exception {
    return published().stream().filter(module -> !module.equals("alfamix-bom"));
  }

  @Test
  void thePomHasTheMetadataThatCentralRequires() throws Exception {
    Element parent = pom("");
    for (String required : List.of("name", "description", "url", "licenses", "developers", "scm")) {
      assertNotNull(child(parent, required), required);
    }
    Element scm = child(parent, "scm");
    for (String required : List.of("connection", "developerConnection", "url")) {
      assertNotNull(child(scm, required), "scm: " + required);
    }
    assertFalse(texts(parent, "licenses", "license").isEmpty());
    assertFalse(texts(parent, "developers", "developer").isEmpty());
  }

  @ParameterizedTest
  @MethodSource("published")
  void eachModuleDescribesItself(String module) throws Exception {
    Element pom = pom(module);
    assertNotNull(child(pom, "name"), "name");
    assertNotNull(child(pom, "description"), "description");
    // Central rejects or discourages these.
    assertEquals(null, child(pom, "repositories"));
    assertEquals(null, child(pom, "pluginRepositories"));
    assertEquals("org.alfamix", child(child(pom, "parent"), "groupId").getTextContent());
    assertTrue(
        Files.exists(
            ReleaseBuild.installed(module)
                .resolve(module + "-" + ReleaseBuild.installed(module).getFileName() + ".pom")));
  }

  @Test
  void propertiesWithVersionsAreReleased() throws Exception {
    NodeList properties = child(pom(""), "properties").getElementsByTagName("*");
    int versions = 0;
    for (int i = 0; i < properties.getLength(); i++) {
      Element property = (Element) properties.item(i);
      if (property.getTagName().endsWith(".version")) {
        versions++;
        assertTrue(
            property.getTextContent().matches("\\d[\\w.-]*")
                && !property.getTextContent().contains("SNAPSHOT"),
            property.getTagName());
      }
    }
    assertTrue(versions > 15, "versions: " + versions);
  }

  @ParameterizedTest
  @MethodSource("published")
  void dependenciesHaveFixedReleasedVersions(String module) throws Exception {
    NodeList dependencies = pom(module).getElementsByTagName("dependency");
    for (int i = 0; i < dependencies.getLength(); i++) {
      Element dependency = (Element) dependencies.item(i);
      String name = child(dependency, "artifactId").getTextContent();
      Element scope = child(dependency, "scope");
      assertFalse(scope != null && scope.getTextContent().equals("system"), name);
      Element version = child(dependency, "version");
      if (version != null) {
        assertFalse(
            version.getTextContent().matches(".*(SNAPSHOT|LATEST|RELEASE|[\\[(,]).*"), name);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("jars")
  void eachModuleHasClassesSourcesAndDocumentation(String module) throws Exception {
    try (JarFile jar = jar(module, "")) {
      assertNotNull(jar.getEntry("META-INF/LICENSE"));
      assertNotNull(jar.getEntry("META-INF/NOTICE"));
      String moduleName = "org." + module.replace('-', '.');
      assertEquals(
          moduleName, jar.getManifest().getMainAttributes().getValue("Automatic-Module-Name"));
      assertTrue(jar.stream().anyMatch(entry -> entry.getName().endsWith(".class")));
    }
    try (JarFile sources = jar(module, "-sources")) {
      assertTrue(sources.stream().anyMatch(entry -> entry.getName().endsWith(".java")));
    }
    try (JarFile documentation = jar(module, "-javadoc")) {
      assertNotNull(documentation.getEntry("index.html"));
    }
  }

  /** Central receives these files, and nothing else, from each module. */
  @ParameterizedTest
  @MethodSource("jars")
  void twoBuildsGiveTheSameJars(String module) throws Exception {
    Path target = ReleaseBuild.ROOT.resolve(module).resolve("target");
    Path first = target.resolve(module + ".jar");
    if (!Files.exists(first)) {
      first = target.resolve(module + "-" + ReleaseBuild.installed(module).getFileName() + ".jar");
    }
    assertEquals(digest(first), digest(path(module, "")), () -> "different bytes: " + module);
  }

  /** Importing it must not change the versions of other libraries, such as that of JUnit. */
  @Test
  void theInstalledBomHasAllModulesAndNativeLibrariesAndNothingElse() throws Exception {
    Path folder = ReleaseBuild.installed("alfamix-bom");
    Element bom = parse(folder.resolve("alfamix-bom-" + folder.getFileName() + ".pom"));
    assertEquals(null, child(bom, "parent"));
    assertEquals("https://github.com/alfamix/alfamix", child(bom, "url").getTextContent());
    Element properties = child(pom(""), "properties");
    TreeSet<String> listed = new TreeSet<>();
    NodeList dependencies = bom.getElementsByTagName("dependency");
    for (int i = 0; i < dependencies.getLength(); i++) {
      Element dependency = (Element) dependencies.item(i);
      String artifact = child(dependency, "artifactId").getTextContent();
      String version = child(dependency, "version").getTextContent();
      listed.add(artifact);
      if (child(dependency, "groupId").getTextContent().equals("org.bytedeco")) {
        assertEquals(child(properties, artifact + ".version").getTextContent(), version, artifact);
      } else {
        assertEquals("${project.version}", version, artifact);
      }
    }
    TreeSet<String> expected = new TreeSet<>(jars().toList());
    expected.addAll(List.of("ffmpeg", "javacpp", "openblas", "pytorch"));
    assertEquals(expected, listed);
  }

  private static String digest(Path file) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)));
  }

  private static Path path(String module, String suffix) throws Exception {
    Path folder = ReleaseBuild.installed(module);
    return folder.resolve(module + "-" + folder.getFileName() + suffix + ".jar");
  }

  private static JarFile jar(String module, String suffix) throws Exception {
    return new JarFile(path(module, suffix).toFile());
  }

  private static Element pom(String module) throws IOException {
    return parse(ReleaseBuild.ROOT.resolve(module).resolve("pom.xml"));
  }

  private static Element parse(Path file) throws IOException {
    try {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(file.toFile())
          .getDocumentElement();
    } catch (Exception e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }

  private static String property(Element pom, String name) {
    Element properties = child(pom, "properties");
    Element value = properties == null ? null : child(properties, name);
    return value == null ? null : value.getTextContent();
  }

  /** Returns the texts of the elements of a list, such as those of the modules. */
  private static List<String> texts(Element pom, String list, String element) {
    NodeList all = child(pom, list).getElementsByTagName(element);
    return IntStream.range(0, all.getLength())
        .mapToObj(i -> all.item(i).getTextContent().strip())
        .toList();
  }

  /** Returns a direct child, or null. */
  private static Element child(Element parent, String name) {
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element && element.getTagName().equals(name)) {
        return element;
      }
    }
    return null;
  }
}
