package io.weir.wire.channel;

import java.util.List;

/**
 * The result of a handshake. Immutable.
 *
 * @param heartbeatNanos interval at which each end sends a heartbeat
 * @param heartbeatsMissed number of heartbeats that the peer may miss
 */
public record Opened(
        long id,
        int version,
        String user,
        List<String> groups,
        int maxFrame,
        long heartbeatNanos,
        int heartbeatsMissed) {

    public static final Opened NOT_YET = new Opened(0, 0, "", List.of(), 0, 0, 0);

    /** The versions of the protocol that this end supports. */
    public static final int LEAST_VERSION = 1;

    public static final int MOST_VERSION = 3;

    /** "WEIR". */
    public static final int MAGIC = 0x57454952;

    /** The maximum frame length before the login. */
    public static final int MAX_BEFORE_LOGIN = 4096;

    /** The minimum that a peer may offer as its maximum frame length. */
    public static final int LEAST_MAX_FRAME = 16 * 1024;

    /** The highest version that both ends support, or 0. */
    public static int agree(int least, int most) {
        int version = Math.min(most, MOST_VERSION);
        return version >= Math.max(least, LEAST_VERSION) ? version : 0;
    }
}
