/** Sources of items and their presentation. */
package org.alfamix.studio.source;
