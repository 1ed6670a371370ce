package io.weir.cluster.deploy;

import java.io.IOException;
import java.io.OutputStream;

/** Archives that other members have. Shared; called on execute threads. */
@FunctionalInterface
public interface ArchiveContents {
    /** For a single server: no other member has any. */
    ArchiveContents NONE = (member, _, _, _) -> {
        throw new IOException("there is no other member to get it from, " + member + " least of all");
    };

    /**
     * Copies an archive from a member. What arrives is checked by the caller.
     *
     * @param size in bytes, as the cluster knows it: no more is written
     * @throws IOException when that member cannot be reached, has it not, or takes too long
     */
    void fetch(String member, String sha256, long size, OutputStream into) throws IOException, InterruptedException;
}
