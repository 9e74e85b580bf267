/** Drawings as SVG, for reports and pages. */
package org.alfamix.chart;
