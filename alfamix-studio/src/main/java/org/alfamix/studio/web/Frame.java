package org.alfamix.studio.web;

import java.util.List;
import org.alfamix.studio.store.Project;

/**
 * The parts of a page around its content.
 *
 * @param project the project that the page belongs to; null for none
 * @param annotator name of the person at the browser
 * @param guardHeader name of the header that every request of a page carries
 * @param places pages of the project
 */
record Frame(
    String title, Project project, String annotator, String guardHeader, List<Place> places) {

  /** A link to a page of the project, with the key of its title. */
  record Place(String key, String address, boolean current) {}
}
