package io.weir.server.config.sun;

import static io.weir.server.config.sun.Quantity.BYTES;
import static io.weir.server.config.sun.Quantity.COUNT;
import static io.weir.server.config.sun.Quantity.COUNT_OR_ALL;
import static io.weir.server.config.sun.Quantity.MILLISECONDS;
import static io.weir.server.config.sun.Quantity.SECONDS;
import static io.weir.server.config.sun.Quantity.SWITCH;
import static io.weir.server.config.sun.Quantity.TEXT;
import static io.weir.server.config.sun.Setting.noted;
import static io.weir.server.config.sun.Setting.number;

import io.weir.base.ConfigNode.Place;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The directives of {@code magnus.conf}. Stateless. */
final class Directives {
    /** The work manager that is the pool of native threads. */
    static final String NATIVE_POOL = "NativePool";

    private static final String THROTTLE = "kernel.request-throttle";
    private static final String QUEUE = "kernel.connection-queue.capacity";
    private static final long HUGE = Integer.MAX_VALUE;
    private static final long HOUR = 3600;
    private static final String POLL = "a muxer waits for all its connections at once, without an interval or a"
            + " thread of its own for idle ones";
    private static final String ACLS = "files of access control lists come with a later version";
    private static final String OF_START = "the start script and the service manager decide it";
    private static final String LANGUAGES = "answers are the origin's, and error pages are in English";
    private static final String CGI = "CGI programs are not run; directives with them are refused where they stand";
    private static final String NSS =
            "OpenSSL's protocols and ciphers are set for each listener in weir.yaml" + " (listeners.*.tls)";

    /** Threads, processes and queues (the tuning guide, chapter 2). */
    private static final List<Setting> THREADS = List.of(
            number("RqThrottle", COUNT, 0, 4096, THROTTLE, "work-managers.default.max-threads")
                    .and("0, with ConnQueueSize 0: no pool, everything is done on the muxers"),
            number("RqThrottleMin", COUNT, 1, 4096, "work-managers.default.min-threads"),
            noted("RqThrottleMinPerSocket", COUNT, "threads belong to no socket; RqThrottleMin keeps them"),
            noted("ThreadIncrement", COUNT, "threads start one by one when work waits"),
            noted("PostThreadsEarly", SWITCH, "acceptors and muxers start first in any case"),
            number("StackSize", BYTES, 0, 268_435_456, "work-managers.default.stack-size"),
            noted("KernelThreads", SWITCH, "it is for Windows; functions always run on threads of the system"),
            number("NativePoolMaxThreads", COUNT, 1, HUGE, "work-managers.NativePool.max-threads"),
            number("NativePoolMinThreads", COUNT, 0, HUGE, "work-managers.NativePool.min-threads"),
            number("NativePoolQueueSize", COUNT_OR_ALL, 0, HUGE, "work-managers.NativePool.queue-capacity"),
            number("NativePoolStackSize", BYTES, 0, 268_435_456, "work-managers.NativePool.stack-size"),
            Setting.special("MaxProcs", "less than 1 is ignored, as in the Proxy Server", "server.processes"),
            noted("ChildRestartCallback", SWITCH, "a process that ends is replaced in any case"),
            number("TerminateTimeout", SECONDS, 0, HUGE, "kernel.drain-time-out"));

    /** Connections. */
    private static final List<Setting> CONNECTIONS = List.of(
            number("ConnQueueSize", COUNT, 0, 1_048_576, QUEUE).and("0: only with RqThrottle 0"),
            number("ListenQ", COUNT, 1, 65_535, "listeners.*.backlog"),
            number("Concurrency", COUNT, 1, 512, "listeners.*.acceptors"),
            number("SndBufSize", BYTES, 0, HUGE, "listeners.*.send-buffer"),
            number("RcvBufSize", BYTES, 0, HUGE, "listeners.*.receive-buffer"),
            number("AcceptTimeout", SECONDS, 1, HOUR, "kernel.accept-time-out", "kernel.time-outs.header"),
            number("NetWriteTimeout", SECONDS, 1, HOUR, "kernel.time-outs.write"),
            noted("NetSendfileTimeout", SECONDS, "files are not sent by the system; NetWriteTimeout applies"),
            noted(
                    "CloseTimeout",
                    SECONDS,
                    "a connection is closed once the client has read the answer, within" + " kernel.time-outs.write"),
            noted(
                    "RqTransactionTimeout",
                    SECONDS,
                    "no time bounds a whole exchange; kernel.time-outs and" + " proxy.time-outs bound its parts"),
            number("MaxKeepAliveConnections", COUNT, 0, 1_048_576, "kernel.keep-alive.max-connections"),
            number("KeepAliveTimeout", SECONDS, 0, 300, "kernel.keep-alive.timeout"),
            noted("KeepAliveThreads", COUNT, "muxers wait for idle connections (kernel.socket-readers)"),
            noted("KeepAliveThrottle", COUNT, POLL),
            noted("KeepAliveQueryMeanTime", MILLISECONDS, POLL),
            noted("KeepAliveQueryMaxSleepTime", MILLISECONDS, POLL),
            Setting.either("UseNativePoll", "auto", "nio", "kernel.muxer").and("off polls with Java NIO"),
            noted("ReconfigBacklog", COUNT, "a reload keeps the listening sockets"));

    /** Requests and answers. */
    private static final List<Setting> REQUESTS = List.of(
            number("HeaderBufferSize", BYTES, 512, HUGE, "proxy.limits.request-line", "proxy.limits.request-head"),
            number("MaxRqHeaders", COUNT, 1, 512, "proxy.limits.request-headers"),
            Setting.special("MaxRequestBodySize", "bytes; -1 is no bound", "proxy.limits.request-body"),
            noted("ChunkedRequestBufferSize", BYTES, "a body is passed on as it comes, in chunks or not"),
            number("ChunkedRequestTimeout", SECONDS, 1, HOUR, "kernel.time-outs.body"),
            noted("UseOutputStreamSize", BYTES, "answers are written as they come (kernel.buffers)"),
            noted("flushTimer", MILLISECONDS, "answers are written as they come"),
            noted("StrictHttpHeaders", SWITCH, "fields that contradict each other are always refused"),
            noted("AcceptLanguage", SWITCH, LANGUAGES),
            noted("DefaultLanguage", TEXT, LANGUAGES),
            noted("ClientLanguage", TEXT, LANGUAGES),
            noted("AdminLanguage", TEXT, LANGUAGES),
            noted("DefaultCharSet", TEXT, "answers are the origin's, with its character set"));

    /** Origins and names. */
    private static final List<Setting> ORIGINS = List.of(
            Setting.text("Address", "proxy.origin-pool.bind"),
            number("MaxIdleServerConnections", COUNT, 0, 65_536, "proxy.origin-pool.max-idle"),
            number("MaxConnectionsPerServer", COUNT, 1, 65_536, "proxy.origin-pool.max-connections-per-origin"),
            number("MaxServers", COUNT, 1, 65_536, "proxy.origin-pool.max-origins"),
            noted("DNS", SWITCH, "clients' addresses are not resolved to names"),
            noted("AsyncDNS", SWITCH, "names are always resolved without a waiting thread"));

    /** Logs. */
    private static final List<Setting> LOGS = List.of(
            Setting.text("ErrorLog", "server.log.file"),
            noted("ErrorLogDateFormat", TEXT, "the server log has one format (docs/messages.md)"),
            number(
                    "LogFlushInterval",
                    SECONDS,
                    0,
                    HUGE,
                    "proxy.access-log.flush-interval",
                    "proxy.access-logs.*.flush-interval"),
            Setting.either("LogVerbose", "fine", "", "server.log.level"),
            noted("LogCrashes", SWITCH, "Java writes a crash to a file of its own (hs_err_pid*.log)"));

    /** TLS. */
    private static final List<Setting> TLS = List.of(
            number("SSLCacheEntries", COUNT, 0, HUGE, "listeners.*.tls.session-cache"),
            number("SSL3SessionTimeout", SECONDS, 5, 86_400, "listeners.*.tls.session-time-out"),
            noted("SSLSessionTimeout", SECONDS, "it is for SSL 2, which is not spoken"),
            noted("SSLClientAuthDataLimit", BYTES, "a certificate is asked for in the handshake, before any data"),
            noted(
                    "SSLClientAuthTimeout",
                    SECONDS,
                    "kernel.time-outs.tls-handshake bounds the handshake with the" + " client's certificate"),
            noted("Security", SWITCH, "each LS of server.xml says whether it has TLS"),
            noted("SSL2", SWITCH, "SSL 2 is not spoken"),
            noted("SSL3", SWITCH, "SSL 3 is not spoken"),
            noted("Ciphers", TEXT, NSS),
            noted("SSL3Ciphers", TEXT, NSS));

    /** Caches. */
    private static final List<Setting> CACHES = List.of(
            noted("ACLCacheLifetime", SECONDS, ACLS),
            noted("ACLCacheMax", COUNT, ACLS),
            noted("ACLUserCacheSize", COUNT, ACLS),
            noted("ACLGroupCacheSize", COUNT, ACLS),
            noted("ACLCacheUseLog", SWITCH, ACLS),
            noted("ACLCacheStrictPassword", SWITCH, ACLS),
            noted("GCAtStartup", SWITCH, "the disk tier is configured in cache.disk (docs/disk-cache.md)"));

    /** The process. */
    private static final List<Setting> PROCESS = List.of(
            Setting.text("ServerID", "server.name"),
            noted("ServerName", TEXT, "the client's Host decides what a server is called in its answers"),
            noted("ServerRoot", TEXT, OF_START),
            noted("NetsiteRoot", TEXT, OF_START),
            noted("ExtraPath", TEXT, OF_START),
            noted("User", TEXT, "a process keeps its user: " + OF_START),
            noted("Chroot", TEXT, OF_START),
            noted("Umask", TEXT, "the server's files are readable by its owner only"),
            noted("PidLog", TEXT, "the process id is in weir.pid of the data directory"),
            noted("TempDir", TEXT, "there are no temporary files outside the data directory"),
            noted("TempDirSecurity", SWITCH, "there are no temporary files outside the data directory"),
            noted("MtaHost", TEXT, "no mail is sent"),
            noted("CGIExpirationTimeout", SECONDS, CGI),
            noted("CGIStubIdleTimeout", MILLISECONDS, CGI),
            noted("CGIWaitPid", SWITCH, CGI),
            noted("MinCGIStubs", COUNT, CGI),
            noted("MaxCGIStubs", COUNT, CGI),
            noted("WinCgiTimeout", SECONDS, CGI),
            noted("LoadObjects", TEXT, "proxy.objects names the file of objects"),
            Setting.special("RootObject", "must be default, the object that requests begin in", "proxy.objects"));

    private static final List<Setting> ALL =
            List.of(THREADS, CONNECTIONS, REQUESTS, ORIGINS, LOGS, TLS, CACHES, PROCESS).stream()
                    .flatMap(List::stream)
                    .toList();
    private static final Map<String, Setting> BY_NAME =
            ALL.stream().collect(Collectors.toMap(s -> s.name().toLowerCase(Locale.ROOT), Function.identity()));

    private Directives() {}

    /** All, in the order of the document. */
    static List<Setting> all() {
        return ALL;
    }

    /** The directive of a name in any case; null: there is none. */
    static @Nullable Setting named(String name) {
        return BY_NAME.get(name.toLowerCase(Locale.ROOT));
    }

    static Collection<String> names() {
        return ALL.stream().map(Setting::name).toList();
    }

    /** Applies a directive that is no plain value. */
    static void special(Setting setting, String value, Place at, Layer layer) {
        switch (setting.name()) {
            case "MaxProcs" -> maxProcs(value, at, layer);
            case "MaxRequestBodySize" -> {
                long least = value.equals("-1") ? -1 : 0;
                number(
                                setting.name(),
                                BYTES,
                                least,
                                Long.MAX_VALUE,
                                setting.keys().getFirst())
                        .apply(layer, "", value.equals("-1") ? "0" : value, at, UnaryOperator.identity());
            }
            default -> {
                if (!value.equalsIgnoreCase("default")) {
                    layer.problem(at, setting.name() + ": " + setting.note() + ", found \"" + value + "\"");
                }
            }
        }
    }

    /** Without threads and queue the pool is disabled (the tuning guide, "Disabled Thread Pools"): both are 0, or none. */
    static void pool(Layer layer) {
        Place threads = layer.zero(THROTTLE);
        Place queue = layer.zero(QUEUE);
        if (threads != null && queue != null) {
            layer.put("work-managers.default.queue-capacity", threads, "0", "RqThrottle");
        } else if (threads != null) {
            layer.problem(threads, "RqThrottle is 0: only with ConnQueueSize 0, which disables the pool");
        } else if (queue != null) {
            layer.problem(queue, "ConnQueueSize is 0: only with RqThrottle 0, which disables the pool");
        }
    }

    private static void maxProcs(String value, Place at, Layer layer) {
        Long number = COUNT.number(value);
        if (number != null && number < 1) {
            layer.note(at, "MaxProcs has no effect: less than 1 is ignored, and 1 used");
        } else {
            number("MaxProcs", COUNT, 1, HUGE, "server.processes")
                    .apply(layer, "", value, at, UnaryOperator.identity());
        }
    }
}
