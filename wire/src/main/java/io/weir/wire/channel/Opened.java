package io.weir.wire.channel;

import java.util.List;

/**
 * What a handshake agreed on. Immutable.
 *
 * @param heartbeatNanos how often each end shows that it lives
 * @param heartbeatsMissed how many the peer may miss
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

    /** The versions of the protocol that this end speaks. */
    public static final int LEAST_VERSION = 1;

    public static final int MOST_VERSION = 2;

    /** "WEIR". */
    public static final int MAGIC = 0x57454952;

    /** The longest frame before the login. */
    public static final int MAX_BEFORE_LOGIN = 4096;

    /** The least that a peer may offer as its longest frame. */
    public static final int LEAST_MAX_FRAME = 16 * 1024;

    /** The version both speak: the highest, or 0. */
    public static int agree(int least, int most) {
        int version = Math.min(most, MOST_VERSION);
        return version >= Math.max(least, LEAST_VERSION) ? version : 0;
    }
}
