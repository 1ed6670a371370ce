package io.weir.wire.server;

import io.weir.base.ByteSize;
import io.weir.base.Knob;
import io.weir.wire.login.LoginConfig;
import java.time.Duration;

/**
 * The key {@code messaging.wire}: the limits of a server's connections. Immutable; the current values are read at each
 * use.
 */
public record WireConfig(
        @Knob(
                doc = "Longest frame that a client may send, and that is sent to it. It bounds the size of a message"
                        + " with its headers; a longer one ends the connection."
                        + " Rule of thumb: the largest message and 64 KiB.",
                value = "10304KiB",
                min = "16KiB",
                max = "1GiB",
                watch = "weir_wire_faults_total",
                knownAs = "MaxT3MessageSize")
        ByteSize maxFrame,

        @Knob(
                doc = "Time within which a client must have logged in. A shorter time frees the resources of"
                        + " unauthenticated connections sooner; the password check takes part of it."
                        + " Rule of thumb: the default.",
                value = "10s",
                min = "100ms",
                max = "5m",
                dynamic = true,
                watch = "weir_wire_faults_total",
                knownAs = "LoginTimeoutMillis")
        Duration handshakeTimeOut,

        @Knob(
                doc = "Connections that may be in their handshake at once; for one more the one whose login has been"
                        + " pending longest is closed. Raise it when many clients reconnect at the same moment."
                        + " Rule of thumb: half of all clients.",
                value = "512",
                unit = "connections",
                min = "1",
                max = "100000",
                dynamic = true,
                watch = {"weir_wire_handshakes", "weir_wire_handshakes_given_up_total"})
        int maxHandshakes,

        @Knob(
                doc = "How often each end sends a heartbeat when it has nothing else to send; a client may request a"
                        + " longer interval. A shorter interval detects dead peers sooner and costs a frame each time."
                        + " Rule of thumb: a third of the time in which a dead client must be noticed.",
                value = "10s",
                min = "100ms",
                max = "10m",
                dynamic = true,
                watch = "weir_wire_faults_total",
                knownAs = "PeriodLength")
        Duration heartbeat,

        @Knob(
                doc = "Heartbeats that a peer may miss before its connection is closed. Raise it when"
                        + " connections close in collector pauses or short outages; lower it to find dead"
                        + " peers sooner. Heartbeat times this is how long a dead peer keeps its sessions"
                        + " and messages. Rule of thumb: 3.",
                value = "3",
                unit = "heartbeats",
                min = "2",
                max = "100",
                dynamic = true,
                watch = "weir_wire_faults_total",
                knownAs = "IdlePeriodsUntilTimeout")
        int heartbeatsMissed,

        @Knob(doc = "Bounds on the bytes that wait to be sent to a client.")
        OutboundConfig outbound,

        @Knob(doc = "How logins are checked and storms of them are bounded.")
        LoginConfig logins) {

    /** The key {@code messaging.wire.outbound}. */
    public record OutboundConfig(
            @Knob(
                    doc = "Bytes waiting for a client at which deliveries to it pause. Raise it when deliveries to"
                            + " clients that keep up pause often, as on links with a long round trip; each"
                            + " client may hold this much memory. Rule of thumb: bandwidth of a client times the"
                            + " round trip, twice.",
                    value = "256KiB",
                    min = "16KiB",
                    max = "1GiB",
                    watch = "weir_wire_writability_changes_total")
            ByteSize high,

            @Knob(
                    doc = "Bytes waiting for a client at which paused deliveries resume. Raise it when a"
                            + " paused client runs empty before deliveries resume; nearer to high the pauses"
                            + " are shorter and more of them. It takes no memory of its own. Rule of thumb: a"
                            + " quarter of high.",
                    value = "64KiB",
                    min = "1KiB",
                    max = "1GiB",
                    watch = "weir_wire_writability_changes_total")
            ByteSize low,

            @Knob(
                    doc = "Bytes waiting for a client at which its connection is closed. Deliveries pause long before;"
                            + " only a client that stopped reading but keeps sending requests reaches it. Must be above"
                            + " max-frame."
                            + " Rule of thumb: the default.",
                    value = "64MiB",
                    min = "64KiB",
                    max = "2GiB",
                    watch = "weir_wire_faults_total")
            ByteSize limit) {}
}
