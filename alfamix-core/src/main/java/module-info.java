/**
 * Query strategies, and what they compute with. Depends on the JDK only.
 *
 * <p>Packages that are exported to some modules only, and {@code org.alfamix.internal}, are not
 * part of the supported interface, on the class path either.
 *
 * <p>The vector module is optional: start Java with {@code --add-modules=jdk.incubator.vector} to
 * use vector instructions.
 *
 * @since 0.1
 */
module org.alfamix.core {
  requires static jdk.incubator.vector;

  exports org.alfamix.error;
  exports org.alfamix.inspect;
  exports org.alfamix.math;
  exports org.alfamix.mix;
  exports org.alfamix.model;
  exports org.alfamix.plugin;
  exports org.alfamix.projection;
  exports org.alfamix.strategy;

  // Internal: their interfaces change without notice.
  exports org.alfamix.attack to
      org.alfamix.bench;
  exports org.alfamix.cluster to
      org.alfamix.select,
      org.alfamix.spark,
      org.alfamix.studio,
      org.alfamix.bench;
  exports org.alfamix.graph to
      org.alfamix.bench;
}
