package io.weir.wire.client;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a client connects. Immutable; begin with {@link #DEFAULT}.
 *
 * @param connectTimeOut for one address
 * @param handshakeTimeOut from connected to logged in
 * @param heartbeat how often the client wants either end to say that it lives; the longer of both ends' wishes counts
 * @param heartbeatsMissed heartbeats that the server may miss
 * @param maxFrame longest frame accepted from the server, bytes
 * @param outboundHigh bytes waiting to be sent from which the connection is not writable
 * @param outboundLow bytes waiting at which it is writable again
 * @param outboundLimit bytes waiting at which the connection is closed
 * @param product who connects, for the server's log
 * @param secure whether to speak TLS; needs netty-handler on the class path
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

    /** The same with another time-out of the connection to one address. */
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

    /** The same with another time-out from connected to logged in. */
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
     * The same with another heartbeat.
     *
     * @param d the interval
     * @param missed heartbeats that may fail to come before the connection is lost
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
     * The same with other bounds on what waits to be sent, all in bytes.
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

    /** The same with another name for the server's log. */
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

    /** Speaks TLS, trusting the authorities of the file, or the platform's. */
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
