package io.weir.server.admin;

import io.weir.base.ByteSize;
import io.weir.base.Knob;
import io.weir.base.Unwatched;
import java.time.Duration;
import java.util.List;

/** The section {@code admin}: the listener for monitoring and changes. Immutable. */
public record AdminConfig(
        @Knob(
                doc = "Opens the admin listener; without it the server can be neither monitored nor changed from"
                        + " outside.",
                value = "on",
                unwatched = Unwatched.SWITCH)
        boolean enabled,

        @Knob(
                doc = "Address to bind. On an address other than loopback reads require the token, too, which is sent"
                        + " unencrypted: prefer a tunnel.",
                value = "127.0.0.1",
                unwatched = Unwatched.NAME,
                knownAs = "Administration Server address")
        String address,

        @Knob(
                doc = "Port to bind; 0 takes a free one.",
                value = "8888",
                unit = "port",
                min = "0",
                max = "65535",
                unwatched = Unwatched.NAME)
        int port,

        @Knob(
                doc = "Further names that a Host field may carry, beside localhost and the loopback addresses. All"
                        + " others are refused, so that no web page can reach this listener by DNS rebinding.",
                watch = "weir_admin_refused_total")
        List<String> hosts,

        @Knob(
                doc = "Maximum number of open connections. At the limit a new one replaces one that is idle or slow"
                        + " to send its request or read its answer; if there is none, the new one is closed."
                        + " Each costs some kilobytes."
                        + " Rule of thumb: the monitors and operators, twice.",
                value = "64",
                unit = "connections",
                min = "1",
                max = "4096",
                watch = {"weir_admin_connections_refused_total", "weir_admin_connections_given_up_total"})
        int maxConnections,

        @Knob(
                doc = "Largest body of a change; a larger one is answered 413. The default is also the"
                        + " maximum. Lower it to bound what an administrator's request may hold in memory."
                        + " Rule of thumb: the default; a list of routes is replaced as a whole.",
                value = "1MiB",
                min = "1KiB",
                max = "1MiB",
                watch = "weir_admin_refused_total")
        ByteSize maxBody,

        @Knob(
                doc = "How long a whole request may take to arrive. Raise it when large changes over"
                        + " slow links fail; lower it when slow clients hold admin connections. Rule of"
                        + " thumb: the default.",
                value = "10s",
                min = "100ms",
                max = "5m",
                watch = "weir_admin_timed_out_total")
        Duration requestTimeOut,

        @Knob(
                doc = "How long a connection may stay idle between requests. Raise it when a"
                        + " monitoring system connects anew for each view; lower it when idle clients hold"
                        + " admin connections. Rule of thumb: longer than the interval between two views.",
                value = "30s",
                min = "100ms",
                max = "5m",
                watch = "weir_admin_connections")
        Duration keepAliveTimeOut,

        @Knob(
                doc = "Threads for work that may block: changes, thread dumps, recorded statistics. Most views need"
                        + " none. Requests without the token never use these threads: they have one of their own,"
                        + " and one for password checks."
                        + " Rule of thumb: the default; one more for each program that changes knobs all the"
                        + " time.",
                value = "2",
                unit = "threads",
                min = "1",
                max = "64",
                watch = "weir_admin_busy_total")
        int threads,

        @Knob(
                doc = "Requests that may wait for such a thread, and as many without the token for"
                        + " theirs; further ones are answered 503. Raise it when tools that ask at once"
                        + " get 503; lower it when answers come too late anyway. Each costs an admin"
                        + " connection. Rule of thumb: the tools that ask at once.",
                value = "32",
                unit = "requests",
                min = "1",
                max = "4096",
                watch = "weir_admin_busy_total")
        int queueCapacity,

        @Knob(
                doc =
                        "Registers the statistics as MBeans within a second after an agent or a tool that attaches makes the platform MBean server.",
                value = "on",
                unwatched = Unwatched.SWITCH)
        boolean jmx) {
    /** Connections of a supervisor to its worker. */
    private static final int OF_WORKER = 128;

    /**
     * The listener of a worker process, for its supervisor: on loopback, at an ephemeral port that the worker reports.
     */
    public AdminConfig ofWorker() {
        // whoever may connect is bounded by the supervisor's listener: its own requests must not evict each other

        return new AdminConfig(
                true,
                "127.0.0.1",
                0,
                hosts,
                Math.max(maxConnections, OF_WORKER),
                maxBody,
                requestTimeOut,
                keepAliveTimeOut,
                threads,
                queueCapacity,
                jmx);
    }
}
