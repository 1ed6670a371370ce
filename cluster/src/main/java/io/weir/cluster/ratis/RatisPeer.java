package io.weir.cluster.ratis;

import java.net.InetSocketAddress;
import java.util.UUID;
import org.apache.ratis.protocol.RaftPeer;

/**
 * A voter of the log. Its identity is the name and the storage: the same name on an empty disk is another voter, which
 * has no record of the former one's votes. Immutable.
 *
 * @param name the member's name
 * @param storage identifier of the disk, created with the data directory
 * @param host where its log listens
 * @param port where its log listens
 * @param witness votes, but leads only while no other can
 */
public record RatisPeer(String name, UUID storage, String host, int port, boolean witness) {
    /** The peer id in Ratis: {@code name@storage}. */
    public String id() {
        return name + "@" + storage;
    }

    /** {@code host:port}, an IPv6 address in brackets. */
    public String address() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }

    /** The name in a peer id. */
    static String nameOf(String id) {
        int at = id.lastIndexOf('@');
        return at < 0 ? id : id.substring(0, at);
    }

    RaftPeer toRaft() {
        return RaftPeer.newBuilder()
                .setId(id())
                .setAddress(InetSocketAddress.createUnresolved(host, port))
                .setPriority(witness ? 0 : 1)
                .build();
    }

    static RatisPeer of(RaftPeer peer) {
        String id = peer.getId().toString();
        String address = peer.getAddress();
        int colon = address.lastIndexOf(':');
        String host = address.substring(0, colon);
        return new RatisPeer(
                nameOf(id),
                UUID.fromString(id.substring(id.lastIndexOf('@') + 1)),
                host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
                Integer.parseInt(address.substring(colon + 1)),
                peer.getPriority() == 0);
    }
}
