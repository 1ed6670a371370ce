package io.weir.cluster.deploy;

import java.io.IOException;
import java.io.OutputStream;

/** Fetches archives from other members. Shared; called on execute threads. */
@FunctionalInterface
public interface ArchiveContents {
    /** For a single server: there are no other members. */
    ArchiveContents NONE = (member, _, _, _) -> {
        throw new IOException("this is a single server, it cannot fetch from member " + member);
    };

    /**
     * Copies an archive from a member. The caller verifies the contents.
     *
     * @param size in bytes, as recorded in the cluster's state: no more is written
     * @throws IOException if that member is unreachable, does not have it, or takes too long
     */
    void fetch(String member, String sha256, long size, OutputStream into) throws IOException, InterruptedException;
}
