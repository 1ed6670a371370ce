package io.weir.lab.slow;

import java.util.List;

/**
 * The ports of a server. Immutable.
 *
 * @param plain of HTTP/1.1
 * @param streams of HTTP/2 with prior knowledge, without TLS
 * @param tls of HTTPS
 * @param admin of Weir's admin listener, 0 for none
 * @param messaging of Weir's messaging, 0 for none
 */
public record SlowPorts(int plain, int streams, int tls, int admin, int messaging) {
    /** The ports of a server with HTTP only. */
    public static SlowPorts http(int plain, int streams, int tls) {
        return new SlowPorts(plain, streams, tls, 0, 0);
    }

    static SlowPorts parse(List<String> words) {
        List<Integer> ports = words.stream().map(Integer::valueOf).toList();
        return new SlowPorts(ports.get(0), ports.get(1), ports.get(2), ports.get(3), ports.get(4));
    }

    /** The text for {@link #parse}. */
    public String words() {
        return plain + " " + streams + " " + tls + " " + admin + " " + messaging;
    }
}
