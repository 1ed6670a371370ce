package io.weir.lab.slow;

import java.util.List;

/**
 * Where a server is spoken to. Immutable.
 *
 * @param plain of HTTP/1.1
 * @param streams of HTTP/2 that begins with its preface, without TLS
 * @param tls of HTTPS
 * @param admin of Weir's admin listener, 0 for none
 * @param messaging of Weir's messaging, 0 for none
 */
public record SlowPorts(int plain, int streams, int tls, int admin, int messaging) {
    /** Of a server that has nothing but HTTP. */
    public static SlowPorts http(int plain, int streams, int tls) {
        return new SlowPorts(plain, streams, tls, 0, 0);
    }

    static SlowPorts parse(List<String> words) {
        List<Integer> ports = words.stream().map(Integer::valueOf).toList();
        return new SlowPorts(ports.get(0), ports.get(1), ports.get(2), ports.get(3), ports.get(4));
    }

    /** As {@link #parse} takes it. */
    public String words() {
        return plain + " " + streams + " " + tls + " " + admin + " " + messaging;
    }
}
