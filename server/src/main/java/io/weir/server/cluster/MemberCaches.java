package io.weir.server.cluster;

import io.weir.cluster.node.ClusterNode;
import io.weir.cluster.purge.CacheMember;
import io.weir.cluster.purge.CacheMembers;
import io.weir.cluster.purge.PurgePosition;
import io.weir.cluster.ratis.MemberTls;
import io.weir.proxy.members.CacheOwners;
import io.weir.proxy.members.MemberPeers;
import io.weir.proxy.members.Owner;
import io.weir.server.siblings.CacheAccess;
import io.weir.server.siblings.Positions;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * This member's cache and those of the others: how they authenticate each other, and which members there are. Shared;
 * lives as long as the server.
 */
public final class MemberCaches implements MemberPeers, CacheAccess, AutoCloseable {
    private final MemberSetup setup;
    private final CacheOwners owners;
    private final Supplier<PurgePosition> position;
    private final @Nullable MemberTls tls;
    private String address = "";
    private @Nullable CacheMembers members;

    /**
     * Generates a key, if members authenticate each other.
     *
     * @param position how far this member's cache has followed the purges
     * @throws IOException if the cluster's certificates cannot be used
     */
    MemberCaches(MemberSetup setup, CacheOwners owners, Supplier<PurgePosition> position) throws IOException {
        this.setup = setup;
        this.owners = owners;
        this.position = position;
        this.tls = MemberTls.of(
                setup.secret(), setup.section().name(), setup.section().tls(), setup.stats(), setup.log());
    }

    @Override
    public boolean open() {
        return true;
    }

    @Override
    public @Nullable SSLEngine server() {
        MemberTls t = tls;
        return t == null ? null : t.server();
    }

    @Override
    public void refused(Throwable cause, @Nullable SocketAddress from) {
        MemberTls t = tls;
        if (t != null) {
            t.refused(cause, from);
        }
    }

    /** The listener is open. */
    public void at(String hostAndPort) {
        address = hostAndPort;
    }

    /** Called before the member starts. */
    void listen(ClusterNode node) {
        CacheMembers m = new CacheMembers(setup.self(), address, this::changed, setup.loop(), setup.log());
        members = m;
        node.listen(m);
        owners.join(this);
    }

    /** Called after the member has started. */
    void start(ClusterNode node) {
        if (members != null) {
            members.start(node.proposer());
        }
    }

    private void changed(List<CacheMember> alive) {
        owners.members(setup.self(), alive.stream().map(this::owner).toList());
    }

    private Owner owner(CacheMember m) {
        int colon = m.address().lastIndexOf(':');
        String host = m.address().substring(0, colon).replaceAll("[\\[\\]]", "");
        return new Owner(
                m.name(), tls != null, host, Integer.parseInt(m.address().substring(colon + 1)));
    }

    @Override
    public @Nullable SSLEngine client(String host, int port) {
        MemberTls t = tls;
        return t == null ? null : t.client(host, port);
    }

    @Override
    public String position() {
        return Positions.text(position.get());
    }

    @Override
    public boolean reached(String asked) {
        return Positions.reached(asked, position.get());
    }

    @Override
    public void close() {
        if (members != null) {
            members.close();
        }
        owners.members(setup.self(), List.of());
    }
}
