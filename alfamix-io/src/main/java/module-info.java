/**
 * Arrays and tables in files, atomic writes and digests.
 *
 * @since 0.1
 */
module org.alfamix.io {
  requires transitive org.alfamix.core;
  requires com.fasterxml.jackson.core;

  exports org.alfamix.io;
  exports org.alfamix.io.array;
  exports org.alfamix.io.table;
}
