package io.weir.broker.admin;

import io.weir.broker.session.BrokerConnection;
import io.weir.broker.session.BrokerSession;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection at one moment. Immutable.
 *
 * @param id as in message identifiers and logs
 * @param address host and port of the client
 * @param blockedSessions its sessions whose window is full
 * @param unacknowledged messages delivered to its sessions and not yet acknowledged
 * @param waitingBytes bytes sent and not yet written to the socket
 */
public record ConnectionView(
        long id,
        String user,
        String address,
        @Nullable String clientId,
        boolean started,
        int sessions,
        int blockedSessions,
        int unacknowledged,
        int temporaryDestinations,
        long waitingBytes) {
    /** On the connection's loop. */
    static ConnectionView of(BrokerConnection c) {
        int unacknowledged = 0;
        for (BrokerSession s : c.sessions()) {
            unacknowledged += s.unacked.size();
        }
        return new ConnectionView(
                c.wire.id(),
                c.wire.user(),
                c.address(),
                c.clientId(),
                c.isStarted(),
                c.sessions().size(),
                (int) c.blockedSessions(),
                unacknowledged,
                c.temporaryDestinations(),
                c.wire.pendingBytes());
    }
}
