/** SVG drawings for reports and web pages. */
package org.alfamix.chart;
