/** Where the items of a project come from, and how they are shown. */
package org.alfamix.studio.source;
