package org.alfamix.spark;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import java.io.Serializable;

/** A block of items, and the invalid rows that were read with them. */
@DefaultSerializer(JavaSerializer.class)
record ReadBlock(PoolBlock items, BadRows bad) implements Serializable {}
