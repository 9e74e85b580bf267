/** What came of experiments: tables, figures, and a page that shows them. */
package org.alfamix.lab.report;
