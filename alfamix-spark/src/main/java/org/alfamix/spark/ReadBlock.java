package org.alfamix.spark;

import java.io.Serializable;

/** Items that were read together, and the rows beside them that are none. */
record ReadBlock(PoolBlock items, BadRows bad) implements Serializable {}
