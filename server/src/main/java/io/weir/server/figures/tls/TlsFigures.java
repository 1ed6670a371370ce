package io.weir.server.figures.tls;

import java.util.List;

/**
 * The figures of TLS of a listener, or towards origins. Immutable.
 *
 * @param owner the listener's name, or {@code proxy.origin-tls}
 * @param handshakes completed so far
 * @param resumed of these, those that resumed a session
 * @param open in progress now
 * @param refused connections closed because too many were in progress
 * @param failed so far
 * @param reloads times that certificates were reloaded
 * @param reloadsFailed of these, those that failed, so that the old ones stayed
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
     * A certificate in use.
     *
     * @param file its file
     * @param names its DNS names
     * @param key kind and size of its key
     * @param expires milliseconds since the epoch
     * @param stapling off, none, or the state of the stapled response
     */
    public record Certificate(String file, List<String> names, String key, long expires, String stapling) {
        public Certificate {
            names = List.copyOf(names);
        }

        /** Whole days left; negative if it has expired. */
        public long daysLeft(long now) {
            return Math.floorDiv(expires - now, 86_400_000L);
        }
    }
}
