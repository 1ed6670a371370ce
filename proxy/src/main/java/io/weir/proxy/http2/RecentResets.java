package io.weir.proxy.http2;

import java.util.Arrays;

/**
 * The streams of a connection that Weir reset most recently: frames that a client sent on them before it could know are
 * not its fault, whether it then ends the stream or resets it, too. Owned by a session, confined to its muxer.
 */
final class RecentResets {
    private static final int KEPT = 128;

    private int[] ids = new int[0];
    private int next;

    void add(int streamId) {
        if (ids.length < KEPT && next == ids.length) {
            ids = Arrays.copyOf(ids, Math.max(4, 2 * ids.length));
        }
        ids[next++ % KEPT] = streamId;
        if (next == 2 * KEPT) {
            next = KEPT;
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
