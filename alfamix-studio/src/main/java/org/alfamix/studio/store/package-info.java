/** The database of the studio: projects, items, all answers of the annotators, rounds and picks. */
package org.alfamix.studio.store;
