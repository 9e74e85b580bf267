/** Reports on experiments: tables, figures, and an HTML page. */
package org.alfamix.lab.report;
