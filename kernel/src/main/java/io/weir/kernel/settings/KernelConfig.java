package io.weir.kernel.settings;

import io.weir.base.ByteSize;
import io.weir.base.Knob;
import java.time.Duration;

/**
 * The section {@code kernel}: how connections are read, queued, kept and limited. Immutable; values of -1 mean auto.
 */
public record KernelConfig(
        @Knob(
                doc = "How sockets are polled. auto uses epoll where it loads and Java NIO elsewhere. io_uring is used"
                        + " only when configured; where it is not permitted, the server falls back to epoll or NIO and"
                        + " logs a message. The log names the muxer at start, and so do the names of threads (/threads)."
                        + " Set nio when the native library fails or its muxers hang: it costs more processor time for each"
                        + " read. Rule of thumb: keep auto; change it only if the same load takes less"
                        + " process_cpu_seconds_total a request with another one.",
                value = "auto",
                watch = {"weir_muxers_hanging", "weir_muxer_connections"},
                knownAs = "MuxerClass, NativeIOEnabled")
        MuxerKind muxer,

        @Knob(
                doc = "Threads (event loops) that read and write sockets. auto is one for each processor. Raise it when"
                        + " each reader uses a whole processor (top -H) and other processors are idle; lower it when"
                        + " readers are mostly idle, because each costs a thread and buffers. Rule of thumb: auto; on"
                        + " a machine with many processors 1 to 3 serve most loads.",
                value = "auto",
                unit = "threads",
                min = "1",
                max = "256",
                auto = true,
                watch = "weir_muxer_connections",
                knownAs = "SocketReaders")
        int socketReaders,

        @Knob(
                doc = "With the Java muxer (nio) and socket-readers auto: the maximum number of threads that read"
                        + " sockets, as a percentage of the default work manager's threads, never more than processors."
                        + " Native muxers ignore it. Raise it when each reader uses a whole processor (top -H) and other"
                        + " processors are idle; lower it when readers are mostly idle, because each costs a thread and"
                        + " buffers. The watched gauge has one series for each reader. Rule of thumb: leave it, and set"
                        + " socket-readers to a number instead.",
                value = "33",
                unit = "percent",
                min = "1",
                max = "99",
                watch = "weir_muxer_connections",
                knownAs = "ThreadPoolPercentSocketReaders")
        int percentSocketReaders,

        @Knob(
                doc = "Maximum number of open connections. At the limit a new connection flushes the oldest idle"
                        + " keep-alive connection; if none is idle, the new one is closed and counted. auto is four"
                        + " fifths of the descriptor limit: the rest is for origins and files."
                        + " Raise it, with the descriptor limit, when connections are closed for new ones too"
                        + " early; an idle one costs a descriptor and a few KiB. Rule of thumb: auto.",
                value = "auto",
                unit = "connections",
                min = "1",
                max = "1048576",
                auto = true,
                dynamic = true,
                watch = {"weir_connections_open", "weir_connections_overflowed_total"},
                knownAs = "MaxOpenSockCount")
        int maxConnections,

        @Knob(
                doc = "Connections that one client address (an IPv6 /64) may hold; more are closed and counted. auto is"
                        + " half of max-connections, loopback not counted. Raise it when a load balancer hides the"
                        + " clients behind one address."
                        + " Rule of thumb: auto.",
                value = "auto",
                unit = "connections",
                min = "1",
                max = "1048576",
                auto = true,
                dynamic = true,
                watch = "weir_connections_refused_address_total")
        int maxConnectionsPerAddress,

        @Knob(
                doc = "How long a client may take from connecting to its first request byte. Shorter frees connections"
                        + " sooner, but disconnects slow clients."
                        + " Rule of thumb: the default; 5s under attack.",
                value = "30s",
                min = "100ms",
                max = "1h",
                dynamic = true,
                watch = "weir_accept_timeouts_total",
                knownAs = "AcceptTimeout")
        Duration acceptTimeOut,

        @Knob(
                doc = "Requests handled at the same time, cache hits not counted. auto is the default work manager's"
                        + " max-threads. A lower value protects origins and shortens each answer; a higher one lets"
                        + " more slow answers run in parallel. Further requests wait in the connection queue. 0"
                        + " together with connection-queue capacity 0 disables the pool: everything is handled on the"
                        + " muxer."
                        + " Rule of thumb: the requests that the origins answer in parallel without getting"
                        + " slower.",
                value = "auto",
                unit = "requests",
                min = "0",
                max = "65536",
                auto = true,
                dynamic = true,
                watch = {"weir_requests_active", "weir_connection_queue_length"},
                knownAs = "RqThrottle")
        int requestThrottle,

        @Knob(doc = "Requests that wait for a slot.") ConnectionQueueConfig connectionQueue,

        @Knob(doc = "Idle connections that wait for their client's next request.")
        KeepAliveConfig keepAlive,

        @Knob(
                doc = "Low latency starts misses and functions on the muxer that read the request; high concurrency"
                        + " passes them through the work manager. auto chooses once a second from the queue's length"
                        + " and the idle sessions."
                        + " Set it when auto changes often and one of the two is measurably better: low latency"
                        + " for hits and fast origins, high concurrency for functions and origins that block."
                        + " Rule of thumb: auto.",
                value = "auto",
                dynamic = true,
                watch = "weir_mode_changes_total")
        ModeChoice mode,

        @Knob(
                doc = "How long a stop waits for requests in progress before their connections are"
                        + " reset. Raise it when long downloads or slow applications are cut off by a"
                        + " stop; lower it when a stop must be quick. It costs only the time of the stop."
                        + " Rule of thumb: longer than the slowest usual request.",
                value = "30s",
                min = "0s",
                max = "1h",
                dynamic = true,
                watch = "weir_connections_drain_reset_total",
                knownAs = "TerminateTimeout")
        Duration drainTimeOut,

        @Knob(doc = "When an execute thread counts as stuck.")
        StuckThreads stuckThreads,

        @Knob(doc = "What the server as a whole does under overload.")
        OverloadConfig overloadProtection,

        @Knob(doc = "How long a slow client may keep something open.")
        TimeOuts timeOuts,

        @Knob(
                doc = "Pipelined requests of one connection that are read before the first is answered. A larger value"
                        + " hides latency for clients that pipeline; each request costs memory."
                        + " Rule of thumb: the default; browsers do not pipeline.",
                value = "8",
                unit = "requests",
                min = "1",
                max = "64",
                dynamic = true,
                watch = "weir_http_read_stops_total")
        int pipeliningDepth,

        @Knob(
                doc = "Bytes read ahead of the request being answered on one connection; reading stops"
                        + " at the bound. Raise it when clients that pipeline small bodies stop often"
                        + " while the network is idle; lower it when memory is short. Each connection may"
                        + " hold this much. Rule of thumb: the default.",
                value = "64KiB",
                min = "4KiB",
                max = "16MiB",
                dynamic = true,
                watch = "weir_http_read_stops_total")
        ByteSize readAhead,

        @Knob(doc = "Sizes of socket buffers in memory.") BufferConfig buffers) {

    /** The section {@code kernel.connection-queue}. */
    public record ConnectionQueueConfig(
            @Knob(
                    doc = "Requests that may wait for a slot; further ones are answered busy (503 with Retry-After)."
                            + " auto is 4096, at most a quarter of max-connections. A longer queue loses fewer requests"
                            + " in a burst and makes the last of them wait longer."
                            + " Rule of thumb: the requests of a second times the seconds that a client waits.",
                    value = "auto",
                    unit = "requests",
                    min = "0",
                    max = "1048576",
                    auto = true,
                    dynamic = true,
                    watch = {"weir_connection_queue_length", "weir_connection_queue_overflows_total"},
                    knownAs = "ConnQueueSize")
            int capacity,

            @Knob(
                    doc = "How long a request waits for a slot before it is answered busy. A shorter time reports an"
                            + " overload to clients early; a longer one lets more of them be answered."
                            + " Rule of thumb: the time that a client waits before it gives up.",
                    value = "60s",
                    min = "1s",
                    max = "1h",
                    dynamic = true,
                    watch = {"weir_connection_queue_time_outs_total", "weir_connection_queue_delay_seconds"})
            Duration timeOut) {}

    /** The section {@code kernel.keep-alive}. */
    public record KeepAliveConfig(
            @Knob(
                    doc = "Idle connections kept for another request; at the maximum, connections are closed after"
                            + " their answer instead. auto is fifteen sixteenths of max-connections; 0 keeps none."
                            + " Lower it to keep descriptors for new clients. Rule of thumb: auto.",
                    value = "auto",
                    unit = "connections",
                    min = "0",
                    max = "1048576",
                    auto = true,
                    dynamic = true,
                    watch = {
                        "weir_keepalive_connections",
                        "weir_keepalive_refusals_total",
                        "weir_keepalive_flushes_total"
                    },
                    knownAs = "MaxKeepAliveConnections")
            int maxConnections,

            @Knob(
                    doc = "How long an idle connection is kept; 0 keeps none. Longer saves clients a new connection,"
                            + " and holds a descriptor and memory for each."
                            + " Rule of thumb: the pause between two requests of a reader; behind a load balancer"
                            + " longer than its own time-out.",
                    value = "30s",
                    min = "0s",
                    max = "300s",
                    dynamic = true,
                    watch = {"weir_keepalive_timeouts_total", "weir_keepalive_hits_total"},
                    knownAs = "KeepAliveTimeout")
            Duration timeout) {}

    /** The section {@code kernel.stuck-threads}. */
    public record StuckThreads(
            @Knob(
                    doc = "How long an execute thread may be busy with one piece of work before it is logged with its"
                            + " stack and counted as stuck; 0: never. A shorter time reports hanging back ends sooner,"
                            + " but also reports long work as stuck."
                            + " Rule of thumb: twice the longest regular piece of work.",
                    value = "600s",
                    min = "0s",
                    max = "24h",
                    dynamic = true,
                    watch = {"weir_work_threads_stuck", "weir_work_stuck_total"},
                    knownAs = "StuckThreadMaxTime")
            Duration maxTime,

            @Knob(
                    doc = "How often threads are checked: a stuck thread is found at most this much later."
                            + " Lower it when stuck threads must be known, and overload protection must act,"
                            + " sooner; a check costs a look at each execute thread. Rule of thumb: a tenth of"
                            + " max-time.",
                    value = "60s",
                    min = "1s",
                    max = "1h",
                    dynamic = true,
                    watch = "weir_work_stuck_total",
                    knownAs = "StuckThreadTimerInterval")
            Duration timerInterval) {}

    /** The section {@code kernel.time-outs}. */
    public record TimeOuts(
            @Knob(
                    doc = "From the first byte of a request to the end of its head; later the client gets"
                            + " 408. Raise it when clients on poor networks get 408; lower it when slow"
                            + " clients hold many connections. Each waiting client costs a connection. Rule of"
                            + " thumb: the default; a head fits into a few packets.",
                    value = "30s",
                    min = "100ms",
                    max = "1h",
                    dynamic = true,
                    watch = "weir_header_timeouts_total")
            Duration header,

            @Knob(
                    doc = "Longest pause of a client within a request body. Raise it when uploads with"
                            + " pauses are cut off; lower it when stalled uploads hold slots and origins'"
                            + " connections. Rule of thumb: longer than the longest usual pause; body-rate"
                            + " bounds clients that only trickle.",
                    value = "60s",
                    min = "100ms",
                    max = "1h",
                    dynamic = true,
                    watch = "weir_body_timeouts_total",
                    knownAs = "ChunkedRequestTimeout")
            Duration body,

            @Knob(
                    doc = "Minimum average rate, in bytes a second, at which a request body must arrive: a client below"
                            + " it is cut off once it is time-outs.body behind. 0: no bound. A higher rate sheds"
                            + " trickling clients sooner, and slow networks with them."
                            + " Rule of thumb: the default, which a slow mobile network exceeds tenfold.",
                    value = "240",
                    min = "0",
                    max = "1GiB",
                    dynamic = true,
                    watch = "weir_body_rate_timeouts_total")
            ByteSize bodyRate,

            @Knob(
                    doc = "Longest time for which a client may read none of the bytes that wait for it;"
                            + " then the connection is reset. Raise it when clients that pause, such as"
                            + " players, are cut off; lower it when stalled clients use up memory: each holds"
                            + " up to buffers.write-high. Rule of thumb: longer than the longest usual pause;"
                            + " write-rate bounds clients that only trickle.",
                    value = "60s",
                    min = "100ms",
                    max = "1h",
                    dynamic = true,
                    watch = "weir_write_timeouts_total",
                    knownAs = "NetWriteTimeout")
            Duration write,

            @Knob(
                    doc = "Minimum average rate, in bytes a second, at which a client must read what waits for it: a"
                            + " client below it is cut off once it is time-outs.write behind. 0: no bound. A"
                            + " higher rate sheds clients that read a little at a time sooner, and slow networks"
                            + " with them."
                            + " Rule of thumb: the default, which a slow mobile network exceeds tenfold.",
                    value = "240",
                    min = "0",
                    max = "1GiB",
                    dynamic = true,
                    watch = "weir_write_rate_timeouts_total")
            ByteSize writeRate,

            @Knob(
                    doc = "From connecting to the end of the TLS handshake. Raise it when distant clients"
                            + " fail while the processors are idle; lower it when unfinished handshakes hold"
                            + " many connections. Each of them costs a connection and its TLS state. Rule of"
                            + " thumb: the default, some round trips of the slowest client.",
                    value = "10s",
                    min = "100ms",
                    max = "10m",
                    dynamic = true,
                    watch = "weir_tls_handshake_failures_total")
            Duration tlsHandshake) {}

    /** The section {@code kernel.buffers}. */
    public record BufferConfig(
            @Knob(
                    doc =
                            "Largest single read from a socket; actual reads adapt to what arrives. Raise it when large"
                                    + " uploads use much processor time (process_cpu_seconds_total) for each received byte; lower"
                                    + " it when many connections send much at once and direct memory is short, because each read"
                                    + " takes up to this much of it. Rule of thumb: keep it, and compare by a load of your own.",
                    value = "64KiB",
                    min = "1KiB",
                    max = "1MiB",
                    watch = {"weir_http_received_bytes_total", "weir_pressure_step"})
            ByteSize readMax,

            @Knob(
                    doc =
                            "Unsent bytes of a connection above which its source is paused. Raise it when large answers to"
                                    + " fast, distant clients arrive slower than the network allows and pauses rise with each"
                                    + " answer; lower it when many slow clients use up memory. Each slow client costs up to this"
                                    + " much direct memory, which counts in weir_pressure_step. Rule of thumb: bandwidth times"
                                    + " round-trip time of a fast client, less the system's socket buffer.",
                    value = "128KiB",
                    min = "4KiB",
                    max = "16MiB",
                    watch = {"weir_connection_write_pauses_total", "weir_pressure_step"})
            ByteSize writeHigh,

            @Knob(
                    doc = "Unsent bytes of a connection below which its source resumes. Raise it when a paused"
                            + " connection runs empty before its source delivers again, so that large answers stall;"
                            + " nearer to write-high the pauses are shorter and more of them, each of which costs"
                            + " processor time. It takes no memory of its own. Rule of thumb: a quarter of write-high.",
                    value = "32KiB",
                    min = "1KiB",
                    max = "16MiB",
                    watch = "weir_connection_write_pauses_total")
            ByteSize writeLow) {
        public BufferConfig {
            if (writeLow.bytes() > writeHigh.bytes()) {
                throw new IllegalArgumentException("write-low must not be above write-high");
            }
        }
    }
}
