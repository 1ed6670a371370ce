package io.weir.cluster.ratis;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.thirdparty.io.netty.channel.socket.SocketChannel;
import org.apache.ratis.thirdparty.io.netty.channel.socket.nio.NioServerSocketChannel;

/**
 * The server channel of a member's log port, in the Netty copy of Ratis: limits what unauthenticated peers can do.
 * Confined to its accepting thread, but for the counts; lives as long as its log.
 */
final class LogServerChannel extends NioServerSocketChannel {
    /**
     * Bounds.
     *
     * @param connections maximum number of connections, including members'
     * @param unproven maximum number of unauthenticated connections
     * @param unprovenFrom the same per address, so that a flooding address leaves room for members at others
     * @param bytes maximum bytes that a peer may send before authentication
     * @param nanos time-out of the authentication
     */
    record Bounds(int connections, int unproven, int unprovenFrom, int bytes, long nanos) {
        static final Bounds DEFAULT = new Bounds(1024, 128, 32, 64 << 10, TimeUnit.SECONDS.toNanos(10));
    }

    private final Bounds bounds;
    private final boolean closed;
    private final RefusedPeers refusedPeers;
    private final Object lock = new Object();
    private final Map<InetAddress, Integer> unprovenFrom = new HashMap<>();
    private int unproven;
    private int connections;

    /** @param closed whether peers must authenticate */
    LogServerChannel(Bounds bounds, boolean closed, RefusedPeers refusedPeers) {
        this.bounds = bounds;
        this.closed = closed;
        this.refusedPeers = refusedPeers;
    }

    @Override
    protected int doReadMessages(List<Object> accepted) throws Exception {
        int n = super.doReadMessages(accepted);
        if (n <= 0) {
            return n;
        }
        SocketChannel channel = (SocketChannel) accepted.getLast();
        InetAddress from = channel.remoteAddress().getAddress();
        if (!enter(from)) {
            accepted.removeLast();
            refusedPeers.refused(PeerRefusal.TOO_MANY, channel.remoteAddress());
            channel.unsafe().closeForcibly();
            return n;
        }
        UnauthenticatedPeer peer = new UnauthenticatedPeer(bounds, refusedPeers, () -> makeRoom(from));
        if (closed) {
            channel.pipeline().addFirst("weir", peer);
        } else {
            peer.makeRoom();
        }
        var _ = channel.closeFuture().addListener(_ -> {
            peer.makeRoom();
            left();
        });
        return n;
    }

    private boolean enter(InetAddress from) {
        synchronized (lock) {
            int same = unprovenFrom.getOrDefault(from, 0);
            if (connections >= bounds.connections() || unproven >= bounds.unproven() || same >= bounds.unprovenFrom()) {
                return false;
            }
            connections++;
            unproven++;
            unprovenFrom.put(from, same + 1);
            return true;
        }
    }

    private void makeRoom(InetAddress from) {
        synchronized (lock) {
            unproven--;
            unprovenFrom.computeIfPresent(from, (_, n) -> n == 1 ? null : n - 1);
        }
    }

    private void left() {
        synchronized (lock) {
            connections--;
        }
    }
}
