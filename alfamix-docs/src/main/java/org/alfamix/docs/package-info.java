/** The documentation: a static site from Markdown, and reference pages generated from the code. */
package org.alfamix.docs;
