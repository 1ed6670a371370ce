package io.weir.proxy.http2;

import java.util.Arrays;

/**
 * The streams of a connection that Weir reset most recently: frames that a client sent on them before it could know are
 * not its fault, whether it then ends the stream or resets it, too. Owned by a session, confined to its muxer.
 */
final class RecentResets {
    private static final int LEAST = 128;

    private final int kept;
    private int[] ids = new int[0];
    private int next;

    /** @param streams that a client may have open, each of which may be reset before it knows of any */
    RecentResets(int streams) {
        kept = Math.max(LEAST, streams);
    }

    void add(int streamId) {
        if (ids.length < kept && next == ids.length) {
            ids = Arrays.copyOf(ids, Math.min(kept, Math.max(4, 2 * ids.length)));
        }
        ids[next++ % kept] = streamId;
        if (next == 2 * kept) {
            next = kept;
        }
    }

    boolean contains(int streamId) {
        for (int id : ids) {
            if (id == streamId) {
                return true;
            }
        }
        return false;
    }
}
