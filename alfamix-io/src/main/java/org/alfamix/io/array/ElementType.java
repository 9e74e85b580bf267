package org.alfamix.io.array;

import java.nio.ByteBuffer;

/** The storage type of the elements of an array. */
public enum ElementType {
  F2(2, true) {
    @Override
    double get(ByteBuffer bytes) {
      return halfToFloat(bytes.getShort());
    }
  },
  BF16(2, true) {
    @Override
    double get(ByteBuffer bytes) {
      return Float.intBitsToFloat(bytes.getShort() << 16);
    }
  },
  F4(4, true) {
    @Override
    double get(ByteBuffer bytes) {
      return bytes.getFloat();
    }
  },
  F8(8, true) {
    @Override
    double get(ByteBuffer bytes) {
      return bytes.getDouble();
    }
  },
  I1(1, false) {
    @Override
    double get(ByteBuffer bytes) {
      return bytes.get();
    }
  },
  I2(2, false) {
    @Override
    double get(ByteBuffer bytes) {
      return bytes.getShort();
    }
  },
  I4(4, false) {
    @Override
    double get(ByteBuffer bytes) {
      return bytes.getInt();
    }
  },
  I8(8, false) {
    @Override
    double get(ByteBuffer bytes) {
      return bytes.getLong();
    }
  },
  U1(1, false) {
    @Override
    double get(ByteBuffer bytes) {
      return Byte.toUnsignedInt(bytes.get());
    }
  },
  U2(2, false) {
    @Override
    double get(ByteBuffer bytes) {
      return Short.toUnsignedInt(bytes.getShort());
    }
  },
  U4(4, false) {
    @Override
    double get(ByteBuffer bytes) {
      return Integer.toUnsignedLong(bytes.getInt());
    }
  },
  BOOL(1, false) {
    @Override
    double get(ByteBuffer bytes) {
      return bytes.get();
    }
  };

  private final int width;
  private final boolean real;

  ElementType(int width, boolean real) {
    this.width = width;
    this.real = real;
  }

  /** Returns the number of bytes per element. */
  public int width() {
    return width;
  }

  /** Returns whether this is a floating-point type; all others hold integers. */
  public boolean isReal() {
    return real;
  }

  /** Reads the next number of the buffer, in the buffer's byte order. */
  abstract double get(ByteBuffer bytes);

  /** Converts from IEEE 754 binary16: one sign, five exponent and ten fraction bits. */
  static float halfToFloat(short half) {
    int exponent = half >> 10 & 0x1f;
    int fraction = half & 0x3ff;
    float magnitude;
    if (exponent == 0) {
      magnitude = fraction * 0x1p-24f;
    } else if (exponent == 31) {
      magnitude = fraction == 0 ? Float.POSITIVE_INFINITY : Float.NaN;
    } else {
      magnitude = Float.intBitsToFloat(exponent + 112 << 23 | fraction << 13);
    }
    return half < 0 ? -magnitude : magnitude;
  }
}
