package org.alfamix.bench;

import java.nio.file.Path;
import org.alfamix.io.array.Npy;
import org.alfamix.model.LinearHead;
import org.alfamix.model.Snapshot;

/** Reads a snapshot from a folder with the arrays of the peer: z, zl, yl, W and b. */
final class PeerArrays {
  private PeerArrays() {}

  static Snapshot read(Path folder) {
    return Snapshot.of(Npy.open(folder.resolve("z.npy")).readMatrix())
        .labelled(
            Npy.open(folder.resolve("zl.npy")).readMatrix(),
            Npy.open(folder.resolve("yl.npy")).readInts())
        .head(
            new LinearHead(
                Npy.open(folder.resolve("W.npy")).readMatrix(),
                Npy.open(folder.resolve("b.npy")).readFloats()))
        .build();
  }
}
