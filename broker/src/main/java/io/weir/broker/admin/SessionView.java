package io.weir.broker.admin;

import io.weir.broker.session.BrokerConnection;
import io.weir.broker.session.BrokerSession;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A session at one moment. Immutable.
 *
 * @param acknowledgeMode 0 transacted, 1 auto, 2 client, 3 duplicates allowed, 4 none
 * @param window MessagesMaximum; {@link Integer#MAX_VALUE} if unlimited
 * @param outstanding messages sent to its listeners and not yet passed to them
 * @param blocked whether the window is full
 * @param unacknowledged messages delivered to it and not yet acknowledged
 * @param waitingSends sends that wait for room in the quota or for the disk
 */
public record SessionView(
        long connection,
        int session,
        String user,
        String address,
        @Nullable String clientId,
        int acknowledgeMode,
        int window,
        int outstanding,
        boolean blocked,
        int unacknowledged,
        int consumers,
        int waitingSends,
        long oneWay,
        boolean started) {
    /** The sessions of a connection. On its loop. */
    static List<SessionView> of(BrokerConnection c) {
        return c.sessions().stream().map(s -> of(c, s)).toList();
    }

    private static SessionView of(BrokerConnection c, BrokerSession s) {
        return new SessionView(
                c.wire.id(),
                s.stream,
                c.wire.user(),
                c.address(),
                c.clientId(),
                s.acknowledgeMode(),
                s.window().maxMessages(),
                s.window().outstanding(),
                !s.window().isOpen(),
                s.unacked.size(),
                s.consumers().size(),
                s.quiet.pending(),
                s.sends().oneWay(),
                c.isStarted());
    }
}
