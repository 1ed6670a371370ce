package io.weir.wire;

import static io.weir.base.StatSpec.counter;
import static io.weir.base.StatSpec.gauge;

import io.weir.base.StatSpec;
import java.util.List;

/** The wire's statistics, declared once. */
public final class WireStats {
    public static final StatSpec CONNECTIONS = gauge(
            "weir_wire_connections",
            "connections",
            "Connections of the messaging protocol open now, logged in or not.");
    public static final StatSpec HANDSHAKES_EVICTED = counter(
            "weir_wire_handshakes_given_up_total",
            "connections",
            "Connections closed for new ones because their login had been pending longest (max-handshakes).");
    public static final StatSpec HANDSHAKES = gauge(
            "weir_wire_handshakes",
            "connections",
            "Connections that have not logged in yet (max-handshakes limits them).");
    public static final StatSpec OPENED =
            counter("weir_wire_opened_total", "connections", "Connections whose handshake was completed.");
    public static final StatSpec FAULTS = counter(
            "weir_wire_faults_total",
            "connections",
            "Connections closed by this end, with an ERROR frame or without, by reason; docs/wire.md lists the"
                    + " reasons.",
            "reason");
    public static final StatSpec LOST = counter(
            "weir_wire_lost_total",
            "connections",
            "Connections that ended without GOODBYE or ERROR: the peer died or the network broke.");
    public static final StatSpec UNCAUGHT = counter(
            "weir_wire_uncaught_total",
            "errors",
            "Connections closed because of an internal error while a frame was handled; see the log.");
    public static final StatSpec LOGINS = counter(
            "weir_wire_logins_total",
            "logins",
            "Logins by result: accepted (password checked), remembered (checked recently), anonymous, wrong,"
                    + " locked (too many failures before), busy (too many waiting for the check).",
            "result");
    public static final StatSpec LOGINS_WAITING =
            gauge("weir_wire_logins_waiting", "logins", "Logins that wait for the check of their password.");
    public static final StatSpec FRAMES_READ = counter("weir_wire_frames_read_total", "frames", "Frames read.");
    public static final StatSpec FRAMES_SENT = counter("weir_wire_frames_sent_total", "frames", "Frames sent.");
    public static final StatSpec BYTES_READ = counter("weir_wire_bytes_read_total", "bytes", "Bytes read.");
    public static final StatSpec BYTES_SENT = counter("weir_wire_bytes_sent_total", "bytes", "Bytes sent.");
    public static final StatSpec FLUSHES = counter(
            "weir_wire_flushes_total",
            "flushes",
            "Writes to the socket: frames sent divided by this shows how well sends are batched.");
    public static final StatSpec WRITABILITY = counter(
            "weir_wire_writability_changes_total",
            "changes",
            "Times that deliveries to a connection paused because the bytes waiting for it exceeded outbound.high.");

    /** All of the room's statistics. */
    public static final List<StatSpec> ALL = List.of(
            CONNECTIONS,
            HANDSHAKES,
            HANDSHAKES_EVICTED,
            OPENED,
            FAULTS,
            LOST,
            UNCAUGHT,
            LOGINS,
            LOGINS_WAITING,
            FRAMES_READ,
            FRAMES_SENT,
            BYTES_READ,
            BYTES_SENT,
            FLUSHES,
            WRITABILITY);

    private WireStats() {}
}
