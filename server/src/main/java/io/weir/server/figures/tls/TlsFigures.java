package io.weir.server.figures.tls;

import java.util.List;

/**
 * What TLS does for a listener, or towards origins. Immutable.
 *
 * @param owner the listener's name, or {@code proxy.origin-tls}
 * @param handshakes completed so far
 * @param resumed of these, those that resumed a session
 * @param open in progress now
 * @param refused connections closed because too many were in progress
 * @param failed so far
 * @param reloads times that certificates were loaded anew
 * @param reloadsFailed times that the old ones stayed
 * @param counts handshakes by protocol, by cipher suite, and failed ones by cause
 * @param certificates that are shown
 */
public record TlsFigures(
        String owner,
        long handshakes,
        long resumed,
        long open,
        long refused,
        long failed,
        long reloads,
        long reloadsFailed,
        List<Count> counts,
        List<Certificate> certificates) {
    public TlsFigures {
        counts = List.copyOf(counts);
        certificates = List.copyOf(certificates);
    }

    /** What is counted by name. */
    public enum Kind {
        PROTOCOL,
        CIPHER,
        FAILURE
    }

    /** Handshakes of one kind and name. */
    public record Count(Kind kind, String name, long handshakes) {}

    /**
     * A certificate that is shown.
     *
     * @param file that it is from
     * @param names DNS names that it is for
     * @param key kind and size of its key
     * @param expires milliseconds since the epoch
     * @param stapling off, none, or the state of what is stapled
     */
    public record Certificate(String file, List<String> names, String key, long expires, String stapling) {
        public Certificate {
            names = List.copyOf(names);
        }

        /** Whole days left; negative when it has expired. */
        public long daysLeft(long now) {
            return Math.floorDiv(expires - now, 86_400_000L);
        }
    }
}
