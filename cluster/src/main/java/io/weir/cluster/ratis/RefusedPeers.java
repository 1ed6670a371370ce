package io.weir.cluster.ratis;

import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.cluster.stats.ClusterMessages;
import io.weir.cluster.stats.ClusterStats;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Counts and logs refused peers of a member's log; the log is rate limited to one line per reason and interval. Shared.
 */
final class RefusedPeers {
    private static final String CALLER = "caller";
    private static final String CALLED = "called";

    private final Stats stats;
    private final Log log;

    RefusedPeers(Stats stats, Log log) {
        this.stats = stats;
        this.log = log;
    }

    /** A peer that connected to this member's port was refused. */
    void refused(PeerRefusal why, @Nullable SocketAddress from) {
        stats.counter(ClusterStats.LOG_REFUSED, CALLER, why.label()).inc();
        log.log(ClusterMessages.LOG_CALLER_REFUSED, why.text(), text(from));
    }

    /** A peer that answered at a member's address was refused. */
    void refusedCalled(PeerRefusal why, String address) {
        stats.counter(ClusterStats.LOG_REFUSED, CALLED, why.label()).inc();
        log.log(ClusterMessages.LOG_PEER_REFUSED, address, why.text());
    }

    private static String text(@Nullable SocketAddress from) {
        return from instanceof InetSocketAddress i ? i.getAddress().getHostAddress() : String.valueOf(from);
    }
}
