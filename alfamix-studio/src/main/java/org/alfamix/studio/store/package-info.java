/** What the studio keeps: projects, items, every word of the annotators, rounds and picks. */
package org.alfamix.studio.store;
