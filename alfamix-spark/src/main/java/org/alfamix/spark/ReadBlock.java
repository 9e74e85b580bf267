package org.alfamix.spark;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import java.io.Serializable;

/** Items that were read together, and the rows beside them that are none. */
@DefaultSerializer(JavaSerializer.class)
record ReadBlock(PoolBlock items, BadRows bad) implements Serializable {}
