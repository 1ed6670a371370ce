package io.weir.cluster.members;

import io.weir.cluster.config.MemberRole;
import io.weir.cluster.stats.ClusterMessages;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.List;

/** Checks of the configuration before a member searches for others. Stateless. */
final class MembershipRules {
    private static final String NEEDED =
            ", which is not on loopback: members need cluster.secret or cluster.secret-file, the same on all of them,"
                    + " to authenticate each other (openssl rand -base64 32 generates one)";
    private static final int SECRET_LENGTH = 16;

    private MembershipRules() {}

    /** Refuses unsafe configurations, with the remedies. */
    static void check(MembershipParts parts) throws IOException {
        List<String> members = parts.config().members();
        if (members.size() == 2) {
            throw new IOException(
                    "cluster.members has two members: if one of two fails the other has no majority and stops, so two"
                            + " are worse than one. Remedies: a third with cluster.role: witness, which votes and"
                            + " runs no singletons; or cluster.leasing: database");
        }
        if (parts.secret() == null) {
            for (String address : members) {
                if (!loopback(host(address))) {
                    throw new IOException("cluster.members has " + address + NEEDED);
                }
            }
            if (!loopback(host(parts.address()))) {
                throw new IOException("this member's address is " + parts.address() + NEEDED);
            }
        }
    }

    /** Warns about allowed but weak settings. */
    static void warn(MembershipParts parts, String logAddress) throws IOException {
        String secret = parts.secret();
        if (secret == null) {
            if (!parts.config().tls().enabled()) {
                parts.log().log(ClusterMessages.LOG_OPEN_TO_ALL, logAddress);
            }
        } else if (secret.length() < SECRET_LENGTH && !loopback(host(parts.address()))) {
            parts.log().log(ClusterMessages.SECRET_SHORT, secret.length());
        }
    }

    static boolean witness(MembershipParts parts) {
        return parts.config().role() == MemberRole.WITNESS;
    }

    /** The host of host:port. */
    static String host(String address) {
        int colon = address.lastIndexOf(':');
        String host = colon < 0 ? address : address.substring(0, colon);
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** The address on which the log listens: this member's advertised address if this machine has it, otherwise all. */
    static String bind(String host) throws IOException {
        InetAddress address = InetAddress.getByName(host);
        boolean here = address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        return here ? address.getHostAddress() : "0.0.0.0";
    }

    static boolean loopback(String host) throws IOException {
        return InetAddress.getByName(host).isLoopbackAddress();
    }
}
