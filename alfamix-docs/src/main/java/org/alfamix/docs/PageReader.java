package org.alfamix.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.alfamix.docs.SitePage.Section;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.ext.heading.anchor.IdGenerator;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.CustomNode;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.ListItem;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/** Reads Markdown (CommonMark with tables) into pages. */
final class PageReader {
  private static final List<Extension> EXTENSIONS =
      List.of(TablesExtension.create(), HeadingAnchorExtension.create());
  private static final Pattern IMAGE = Pattern.compile("<img[^>]*\\ssrc=\"([^\"]+)\"");
  private static final Pattern SPACES = Pattern.compile("\\s+");

  private final Parser parser = Parser.builder().extensions(EXTENSIONS).build();
  private final HtmlRenderer renderer = HtmlRenderer.builder().extensions(EXTENSIONS).build();

  /**
   * Reads one page.
   *
   * @param resolve returns the target of a link on the site
   */
  SitePage read(String source, String address, String markdown, UnaryOperator<String> resolve) {
    Node document = parser.parse(markdown);
    Contents contents = new Contents(resolve);
    document.accept(contents);
    contents.finishSection();
    String title = contents.sections.stream().map(Section::heading).findFirst().orElse(source);
    return new SitePage(
        source,
        address,
        title,
        renderer.render(document),
        contents.sections,
        contents.sections.stream().map(Section::anchor).toList(),
        contents.links);
  }

  /** Collects sections and links, and replaces the targets of links. */
  private static final class Contents extends AbstractVisitor {
    private final UnaryOperator<String> resolve;
    // The same generator as the renderer's extension, which visits headings in the same order.
    private final IdGenerator ids = IdGenerator.builder().build();
    private final List<Section> sections = new ArrayList<>();
    private final List<String> links = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private Heading heading;
    private String headingText = "";

    Contents(UnaryOperator<String> resolve) {
      this.resolve = resolve;
    }

    void finishSection() {
      if (heading != null) {
        sections.add(
            new Section(
                heading.getLevel(),
                ids.generateId(headingText),
                headingText,
                SPACES.matcher(text).replaceAll(" ").strip()));
      }
      text.setLength(0);
    }

    @Override
    public void visit(Heading next) {
      finishSection();
      visitChildren(next);
      headingText = text.toString();
      heading = next;
      text.setLength(0);
    }

    @Override
    public void visit(Link link) {
      links.add(link.getDestination());
      visitChildren(link);
      link.setDestination(resolve.apply(link.getDestination()));
    }

    @Override
    public void visit(Image image) {
      links.add(image.getDestination());
      visitChildren(image);
      image.setDestination(resolve.apply(image.getDestination()));
    }

    @Override
    public void visit(HtmlBlock block) {
      IMAGE.matcher(block.getLiteral()).results().forEach(each -> links.add(each.group(1)));
    }

    @Override
    public void visit(Text node) {
      text.append(node.getLiteral());
    }

    @Override
    public void visit(Code node) {
      text.append(node.getLiteral());
    }

    @Override
    public void visit(FencedCodeBlock node) {
      text.append(' ').append(node.getLiteral()).append(' ');
    }

    @Override
    public void visit(SoftLineBreak node) {
      text.append(' ');
    }

    @Override
    public void visit(HardLineBreak node) {
      text.append(' ');
    }

    @Override
    public void visit(Paragraph node) {
      visitChildren(node);
      text.append(' ');
    }

    @Override
    public void visit(ListItem node) {
      visitChildren(node);
      text.append(' ');
    }

    @Override
    public void visit(CustomNode node) {
      visitChildren(node);
      if (node instanceof TableCell) {
        text.append(' ');
      }
    }
  }
}
