package io.weir.wire.client;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a client connects. Immutable; start from {@link #DEFAULT}.
 *
 * @param connectTimeOut for one address
 * @param handshakeTimeOut from connected to logged in
 * @param heartbeat interval of heartbeats that the client requests; the longer of both ends' intervals is used
 * @param heartbeatsMissed heartbeats that the server may miss
 * @param maxFrame maximum frame length accepted from the server, bytes
 * @param outboundHigh pending bytes from which the connection is not writable
 * @param outboundLow pending bytes at which it is writable again
 * @param outboundLimit pending bytes at which the connection is closed
 * @param product the client's name, for the server's log
 * @param secure whether to use TLS; needs netty-handler on the class path
 * @param trust file of the authorities' certificates (PEM) to trust; null for the platform's
 */
public record ClientOptions(
        Duration connectTimeOut,
        Duration handshakeTimeOut,
        Duration heartbeat,
        int heartbeatsMissed,
        int maxFrame,
        long outboundHigh,
        long outboundLow,
        long outboundLimit,
        String product,
        boolean secure,
        @Nullable Path trust) {
    /** 5 s to connect, 30 s to log in, heartbeats of 10 s, frames of 64 MiB at most. */
    public static final ClientOptions DEFAULT = new ClientOptions(
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            Duration.ofSeconds(10),
            3,
            64 << 20,
            256 << 10,
            64 << 10,
            256 << 20,
            "weir-wire",
            false,
            null);

    /** A copy with another time-out for connecting to one address. */
    public ClientOptions withConnectTimeOut(Duration d) {
        return new ClientOptions(
                d,
                handshakeTimeOut,
                heartbeat,
                heartbeatsMissed,
                maxFrame,
                outboundHigh,
                outboundLow,
                outboundLimit,
                product,
                secure,
                trust);
    }

    /** A copy with another time-out from connected to logged in. */
    public ClientOptions withHandshakeTimeOut(Duration d) {
        return new ClientOptions(
                connectTimeOut,
                d,
                heartbeat,
                heartbeatsMissed,
                maxFrame,
                outboundHigh,
                outboundLow,
                outboundLimit,
                product,
                secure,
                trust);
    }

    /**
     * A copy with another heartbeat.
     *
     * @param d the interval
     * @param missed heartbeats that may be missed before the connection is considered lost
     */
    public ClientOptions withHeartbeat(Duration d, int missed) {
        return new ClientOptions(
                connectTimeOut,
                handshakeTimeOut,
                d,
                missed,
                maxFrame,
                outboundHigh,
                outboundLow,
                outboundLimit,
                product,
                secure,
                trust);
    }

    /**
     * A copy with other limits of pending outbound bytes.
     *
     * @param low at which the connection is writable again
     * @param high from which it is not
     * @param limit at which it is closed
     */
    public ClientOptions withOutbound(long low, long high, long limit) {
        return new ClientOptions(
                connectTimeOut,
                handshakeTimeOut,
                heartbeat,
                heartbeatsMissed,
                maxFrame,
                high,
                low,
                limit,
                product,
                secure,
                trust);
    }

    /** A copy with another client name for the server's log. */
    public ClientOptions withProduct(String name) {
        return new ClientOptions(
                connectTimeOut,
                handshakeTimeOut,
                heartbeat,
                heartbeatsMissed,
                maxFrame,
                outboundHigh,
                outboundLow,
                outboundLimit,
                name,
                secure,
                trust);
    }

    /** A copy that uses TLS, trusting the authorities of the file, or the platform's if null. */
    public ClientOptions withTls(@Nullable Path authorities) {
        return new ClientOptions(
                connectTimeOut,
                handshakeTimeOut,
                heartbeat,
                heartbeatsMissed,
                maxFrame,
                outboundHigh,
                outboundLow,
                outboundLimit,
                product,
                true,
                authorities);
    }
}
