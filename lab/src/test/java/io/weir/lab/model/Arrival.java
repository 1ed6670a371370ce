package io.weir.lab.model;

import org.jspecify.annotations.Nullable;

/** A delivery on its way from the broker to an application. Confined to its session. */
final class Arrival {
    final PeerSession session;
    final PeerConsumer consumer;
    final long tag;
    final String body;
    final int bytes;
    final boolean pushed;

    /** It says that it may have been delivered before. */
    final boolean flagged;

    /** What the books say that it is. */
    @Nullable
    Copy copy;

    Arrival(
            PeerSession session,
            PeerConsumer consumer,
            long tag,
            String body,
            int bytes,
            boolean pushed,
            boolean flagged) {
        this.session = session;
        this.consumer = consumer;
        this.tag = tag;
        this.body = body;
        this.bytes = bytes;
        this.pushed = pushed;
        this.flagged = flagged;
    }
}
