package io.weir.lab.bench.program;

import java.util.Locale;

/**
 * A turn of echoes. Immutable.
 *
 * @param port of the server
 * @param secure whether it is spoken to under TLS
 * @param target port of the echo origin, for CONNECT
 * @param bytes of a frame's payload, in each direction
 * @param connections with one echo at a time on each
 */
public record EchoPlan(Manner manner, int port, boolean secure, int target, int bytes, int seconds, int connections) {
    /** How the origin is reached. */
    public enum Manner {
        /** Through a tunnel. */
        CONNECT,
        /** By a WebSocket. */
        WEBSOCKET,
        /** By whatever passes bytes. */
        RAW
    }

    /** As a line. */
    public String line() {
        return String.format(
                Locale.ROOT, "%s %d %b %d %d %d %d", manner, port, secure, target, bytes, seconds, connections);
    }

    static EchoPlan of(String line) {
        String[] words = line.split(" ", -1);
        return new EchoPlan(
                Manner.valueOf(words[0]),
                Integer.parseInt(words[1]),
                Boolean.parseBoolean(words[2]),
                Integer.parseInt(words[3]),
                Integer.parseInt(words[4]),
                Integer.parseInt(words[5]),
                Integer.parseInt(words[6]));
    }

    /** What is sent first; empty if nothing is. */
    String greeting() {
        return switch (manner) {
            case CONNECT -> "CONNECT 127.0.0.1:" + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + target + "\r\n\r\n";
            case WEBSOCKET ->
                "GET /ws/ HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";
            case RAW -> "";
        };
    }

    /** The status that accepts it. */
    String accepted() {
        return manner == Manner.CONNECT ? "200" : "101";
    }
}
