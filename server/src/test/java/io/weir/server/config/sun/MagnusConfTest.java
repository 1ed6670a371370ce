package io.weir.server.config.sun;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.server.config.LoadedConfig;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code magnus.conf} as a layer of the configuration. */
final class MagnusConfTest extends SunFixture {
    /** The directives of the Proxy Server's reference, and those that its HTTP client reads. */
    private static final List<String> REFERENCE = List.of(
            ("AcceptLanguage AcceptTimeout ACLCacheLifetime ACLCacheMax ACLUserCacheSize ACLGroupCacheSize Address AsyncDNS"
                            + " ChildRestartCallback ChunkedRequestBufferSize ChunkedRequestTimeout CloseTimeout Concurrency"
                            + " ConnQueueSize DNS ErrorLogDateFormat flushTimer GCAtStartup HeaderBufferSize"
                            + " KeepAliveQueryMeanTime KeepAliveQueryMaxSleepTime KeepAliveThreads KeepAliveThrottle"
                            + " KeepAliveTimeout KernelThreads ListenQ LogCrashes LogFlushInterval LogVerbose"
                            + " MaxKeepAliveConnections MaxProcs MaxRqHeaders MaxRequestBodySize RqTransactionTimeout"
                            + " NetWriteTimeout NetSendfileTimeout NativePoolMaxThreads NativePoolMinThreads"
                            + " NativePoolQueueSize NativePoolStackSize PidLog TempDir User PostThreadsEarly ACLCacheUseLog"
                            + " ACLCacheStrictPassword RcvBufSize SndBufSize ReconfigBacklog RqThrottle RqThrottleMin StackSize"
                            + " StrictHttpHeaders TerminateTimeout ThreadIncrement UseNativePoll UseOutputStreamSize"
                            + " SSLCacheEntries SSLSessionTimeout SSL3SessionTimeout SSLClientAuthDataLimit"
                            + " SSLClientAuthTimeout MaxIdleServerConnections MaxConnectionsPerServer MaxServers"
                            + " MtaHost CGIExpirationTimeout CGIStubIdleTimeout CGIWaitPid MinCGIStubs MaxCGIStubs WinCgiTimeout")
                    .split(" "));

    /** Each directive that is a setting here, with the knobs that a value changes. */
    private static final String EFFECTS = """
            RqThrottle,                77,     kernel.request-throttle=77 work-managers.default.max-threads=77
            RqThrottleMin,             7,      work-managers.default.min-threads=7
            StackSize,                 131072, work-managers.default.stack-size=128KiB
            NativePoolMaxThreads,      64,     work-managers.NativePool.max-threads=64
            NativePoolMinThreads,      3,      work-managers.NativePool.min-threads=3
            NativePoolQueueSize,       500,    work-managers.NativePool.queue-capacity=500
            NativePoolQueueSize,       0,      work-managers.NativePool.queue-capacity=1048576
            NativePoolStackSize,       65536,  work-managers.NativePool.stack-size=64KiB
            MaxProcs,                  4,      server.processes=4
            TerminateTimeout,          45,     kernel.drain-time-out=45s
            ConnQueueSize,             512,    kernel.connection-queue.capacity=512
            ListenQ,                   300,    listeners.http.backlog=300
            Concurrency,               2,      listeners.http.acceptors=2
            SndBufSize,                65536,  listeners.http.send-buffer=64KiB
            RcvBufSize,                32768,  listeners.http.receive-buffer=32KiB
            AcceptTimeout,             25,     kernel.accept-time-out=25s kernel.time-outs.header=25s
            NetWriteTimeout,           90,     kernel.time-outs.write=90s
            MaxKeepAliveConnections,   100,    kernel.keep-alive.max-connections=100
            KeepAliveTimeout,          12,     kernel.keep-alive.timeout=12s
            UseNativePoll,             off,    kernel.muxer=nio
            UseNativePoll,             on,     kernel.muxer=auto
            HeaderBufferSize,          16384,  proxy.limits.request-line=16KiB proxy.limits.request-head=16KiB
            MaxRqHeaders,              50,     proxy.limits.request-headers=50
            MaxRequestBodySize,        1048576, proxy.limits.request-body=1MiB
            MaxRequestBodySize,        -1,     proxy.limits.request-body=0
            ChunkedRequestTimeout,     33,     kernel.time-outs.body=33s
            Address,                   127.0.0.1, proxy.origin-pool.bind=127.0.0.1
            MaxIdleServerConnections,  99,     proxy.origin-pool.max-idle=99
            MaxConnectionsPerServer,   98,     proxy.origin-pool.max-connections-per-origin=98
            MaxServers,                97,     proxy.origin-pool.max-origins=97
            ErrorLog,                  /var/log/errors, server.log.file=/var/log/errors
            LogFlushInterval,          5,      proxy.access-log.flush-interval=5s proxy.access-logs.other.flush-interval=5s
            LogVerbose,                on,     server.log.level=fine
            LogVerbose,                off,    server.log.level=info
            SSLCacheEntries,           400,    listeners.secure.tls.session-cache=400
            SSL3SessionTimeout,        600,    listeners.secure.tls.session-time-out=10m
            ServerID,                  proxy-a, server.name=proxy-a
            RootObject,                default, proxy.restarts=10
            """;

    private void twoListeners() {
        yaml(
                "listeners:\n  http: {port: 0}\n  secure: {port: 0, tls: {alpn: [h2]}}",
                "access-logs: {other: {file: logs/other}}");
    }

    @ParameterizedTest
    @CsvSource(textBlock = EFFECTS)
    void directivesAreKnobs(String directive, String value, String effects) {
        twoListeners();
        magnus("# a comment", "", "  " + directive + "\t " + value + "  ");
        LoadedConfig loaded = usable();
        assertThat(loaded.notes()).isEmpty();
        for (String effect : effects.split(" ", -1)) {
            int eq = effect.indexOf('=');
            String key = effect.substring(0, eq);
            assertThat(bound(loaded, key)).as(key).isEqualTo(effect.substring(eq + 1));
            if (loaded.tree().find(key) != null) {
                assertThat(place(loaded, key)).isEqualTo("magnus.conf:3:" + (directive.length() + 5));
            }
        }
    }

    @Test
    void everyDirectiveOfTheReferenceIsASettingOrNoted() {
        Set<String> known = new HashSet<>(Directives.names());
        assertThat(REFERENCE).isSubsetOf(known);
        Set<String> tested = new TreeSet<>(
                EFFECTS.lines().map(l -> l.replaceFirst(",.*", "").strip()).toList());
        Directives.all().stream()
                .filter(Setting::applied)
                .forEach(s -> assertThat(tested).as("a test of its effect").contains(s.name()));
    }

    static Stream<Setting> noted() {
        return Directives.all().stream().filter(s -> !s.applied());
    }

    @ParameterizedTest
    @MethodSource("noted")
    void othersAreNotedWithTheReason(Setting directive) {
        String value = directive.quantity().isNumber() ? "1" : "on";
        magnus(directive.name() + " " + value);
        assertThat(directive.note()).isNotEmpty();
        assertThat(notes())
                .containsExactly("magnus.conf:1:" + (directive.name().length() + 2) + ": " + directive.name()
                        + " has no effect: " + directive.note());
    }

    @Test
    void valuesBeyondTheKnobAreTheNearestAndNoted() {
        magnus("Concurrency 100", "LogFlushInterval 0", "MaxProcs 0", "TerminateTimeout 100000");
        assertThat(notes())
                .containsExactly(
                        "magnus.conf:1:13: Concurrency: listeners.*.acceptors is at most 64, which is used instead of 100",
                        "magnus.conf:2:18: LogFlushInterval: proxy.access-log.flush-interval is at least 10ms, which is used"
                                + " instead of 0",
                        "magnus.conf:2:18: LogFlushInterval: proxy.access-logs.*.flush-interval is at least 10ms, which is"
                                + " used instead of 0",
                        "magnus.conf:3:10: MaxProcs has no effect: less than 1 is ignored, and 1 used",
                        "magnus.conf:4:18: TerminateTimeout: kernel.drain-time-out is at most 1h, which is used instead of"
                                + " 100000");
        assertThat(bound(load(), "listeners.http.acceptors")).isEqualTo("64");
    }

    @Test
    void allMistakesAreReportedAtOnceWithTheirPlaces() {
        magnus(
                "RqThrotle 5",
                "RqThrottle many",
                "KeepAliveTimeout 301",
                "KeepAliveTimeout 5",
                "DNS perhaps",
                "ListenQ",
                "!what",
                "RootObject other",
                "MaxServers 0",
                "NativePoolQueueSize 5s");
        inits("Init fn=thread-pol-init name=a", "Init fn=thread-pool-init name=a maxthreads=none maxthread=3");
        assertThat(problems())
                .containsExactlyInAnyOrder(
                        "magnus.conf:1:1: unknown directive \"RqThrotle\"; did you mean \"RqThrottle\"?",
                        "magnus.conf:2:12: RqThrottle: expected a whole number from 0 to 4096, found \"many\"",
                        "magnus.conf:3:18: KeepAliveTimeout: expected a number of seconds from 0 to 300, found 301",
                        "magnus.conf:4:1: KeepAliveTimeout is given twice, first at line 3",
                        "magnus.conf:5:5: DNS: expected on or off, found \"perhaps\"",
                        "magnus.conf:6:1: ListenQ has no value: expected a whole number",
                        "magnus.conf:7:1: expected a directive and its value, such as RqThrottle 128, found \"!what\"",
                        "magnus.conf:8:12: RootObject: must be default, the object that requests begin in, found"
                                + " \"other\"",
                        "magnus.conf:9:12: MaxServers: expected a whole number from 1 to 65536, found 0",
                        "magnus.conf:10:21: NativePoolQueueSize: expected a whole number from 0 to 2147483647, found \"5s\"",
                        "obj.conf:1:1: unknown Init function \"thread-pol-init\"; did you mean \"thread-pool-init\"?",
                        "obj.conf:2:33: thread-pool-init maxthreads: expected a whole number from 1 to 2147483647, found"
                                + " \"none\"",
                        "obj.conf:2:49: thread-pool-init: unknown parameter \"maxthread\"; did you mean \"maxthreads\"?"
                                + " Known: name, maxthreads, minthreads, queueSize, stackSize");
    }

    @Test
    void withoutThreadsAndQueueThePoolIsDisabled() {
        magnus("RqThrottle 0", "ConnQueueSize 0");
        LoadedConfig loaded = usable();
        assertThat(bound(loaded, "kernel.request-throttle")).isEqualTo("0");
        assertThat(bound(loaded, "kernel.connection-queue.capacity")).isEqualTo("0");
        assertThat(bound(loaded, "work-managers.default.max-threads")).isEqualTo("0");
        assertThat(bound(loaded, "work-managers.default.queue-capacity")).isEqualTo("0");
        magnus("RqThrottle 0");
        assertThat(problems())
                .containsExactly(
                        "magnus.conf:1:12: RqThrottle is 0: only with ConnQueueSize 0, which disables the pool");
        magnus("ConnQueueSize 0", "RqThrottle 5");
        assertThat(problems())
                .containsExactly(
                        "magnus.conf:1:15: ConnQueueSize is 0: only with RqThrottle 0, which disables the pool");
    }

    @Test
    void namesAreTheSameInAnyCaseAndValuesMayBeQuoted() {
        magnus("terminatetimeOut \"17\"\r", "ServerID \"my-proxy\"");
        assertThat(bound(usable(), "kernel.drain-time-out")).isEqualTo("17s");
        assertThat(bound(usable(), "server.name")).isEqualTo("my-proxy");
    }

    @Test
    void initLinesStandBetweenDirectives() {
        magnus(
                "KeepAliveTimeout 9",
                "Init fn=\"thread-pool-init\"",
                "  name=\"one\"",
                "maxthreads=\"1\"",
                "# comment",
                "queueSize=\"10\"",
                "RqThrottle 50",
                "Init fn=\"thread-pool-init\" name=\"two\" LateInit=\"yes\"");
        LoadedConfig loaded = usable();
        assertThat(bound(loaded, "work-managers.one.max-threads")).isEqualTo("1");
        assertThat(place(loaded, "work-managers.one.max-threads")).isEqualTo("magnus.conf:4:1");
        assertThat(bound(loaded, "work-managers.one.queue-capacity")).isEqualTo("10");
        assertThat(bound(loaded, "work-managers.two.max-threads")).isEqualTo("auto");
        assertThat(bound(loaded, "kernel.request-throttle")).isEqualTo("50");
    }

    @Test
    void weirYamlOverridesAndSetGoOverIt() {
        magnus("KeepAliveTimeout 9", "TerminateTimeout 8", "AcceptTimeout 7", "RqThrottle 6");
        yaml("listeners: {http: {port: 0}}\nkernel: {drain-time-out: 80s}");
        write("overrides.yaml", "kernel: {accept-time-out: 70s}");
        LoadedConfig loaded = usable("server.data-dir=" + home, "kernel.request-throttle=60");
        assertThat(bound(loaded, "kernel.keep-alive.timeout")).isEqualTo("9s");
        assertThat(bound(loaded, "kernel.drain-time-out")).isEqualTo("80s");
        assertThat(bound(loaded, "kernel.accept-time-out")).isEqualTo("70s");
        assertThat(bound(loaded, "kernel.request-throttle")).isEqualTo("60");
        assertThat(place(loaded, "kernel.keep-alive.timeout")).isEqualTo("magnus.conf:1:18");
    }
}
