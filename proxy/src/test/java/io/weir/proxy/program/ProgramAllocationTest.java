package io.weir.proxy.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.weir.base.ConfigBinder;
import io.weir.base.ConfigNode;
import io.weir.proxy.accesslog.AccessLogConfig;
import io.weir.proxy.accesslog.AccessLogs;
import io.weir.proxy.accesslog.LogLanes;
import io.weir.proxy.cache.store.FetchedFrom;
import io.weir.proxy.program.config.VirtualServerConfig;
import io.weir.proxy.program.run.Program;
import io.weir.proxy.program.run.ProgramRun;
import io.weir.proxy.program.run.RunState;
import io.weir.proxy.program.server.VirtualServers;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holds a request's way through the program to the budgets of docs/hot-paths.md: bytes per operation, warm. */
class ProgramAllocationTest {
    private static final int WARM = 3_000;
    private static final int OPERATIONS = 1_000;

    @TempDir
    private Path data;

    private static long perOperation(Runnable operation) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int i = 0; i < WARM; i++) {
            operation.run();
        }
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 3; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < OPERATIONS; i++) {
                operation.run();
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least / OPERATIONS;
    }

    private static Bench routes() {
        Bench bench = new Bench();
        for (int i = 0; i < 200; i++) {
            bench.route("path", "/app" + i, "origins", List.of("http://127.0.0.1:9000"), "rewrite-path", "/");
            bench.route("path", "/img" + i + "/*.gif", "path-match", "wildcard", "deny", "on");
        }
        return bench.route("hosts", List.of("*.example.com"), "origins", List.of("http://a:1", "http://b:2"));
    }

    private static void wholeWay(Bench bench, String line) {
        Program program = bench.program();
        SyntheticRequest request = Bench.request(program, line, "127.0.0.1");
        ProgramRun run = new ProgramRun(bench.host, null);
        assertThat(perOperation(() -> {
                    RunState state = run.start(request, program);
                    if (state != RunState.READY || run.cache() == null || run.service() != RunState.READY) {
                        throw new AssertionError(run.fault());
                    }
                    if (program.hasOutput()) {
                        throw new IllegalStateException("the program has no output");
                    }
                    run.finish();
                }))
                .isZero();
    }

    @Test
    void requestThroughManyRoutesAllocatesNothing() {
        wholeWay(routes(), "GET /app77/some/page.html?x=1");
        wholeWay(routes(), "GET /img7/x.png");
    }

    @Test
    void normalisingAPathAllocatesNothing() {
        wholeWay(routes(), "GET /x/../app77/%7Euser//page");
    }

    @Test
    void choosingAVirtualServerAllocatesNothing() {
        VirtualServers servers =
                VirtualServers.of(java.util.Map.of("a", new VirtualServerConfig(List.of("*.example.com"), List.of())));
        byte[] host = "WWW.Example.com".getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
        assertThat(perOperation(() -> servers.select("http", "default", host, 0, host.length)))
                .isZero();
    }

    /** As each hit of the forward proxy is: the rules are those by which the answer was let pass before. */
    @Test
    void askingForWhomAStoredAnswerIsAllocatesTheBytesOfALoopbackClientAtMost() {
        Bench bench = new Bench().route("forward", "on");
        Program program = bench.program();
        String head = "GET http://www.example.com/ HTTP/1.1\r\nHost: www.example.com\r\n\r\n";
        ProgramRun run = new ProgramRun(bench.host, null);
        run.start(Bench.request(program, head, "127.0.0.1"), program);
        for (String address : new String[] {"8.8.8.8", "127.0.0.1"}) {
            FetchedFrom from = FetchedFrom.of(Bench.address(address));
            assertThat(perOperation(() -> {
                        if (!run.destination().mayHave(program.destinations(), from)) {
                            throw new AssertionError("it may have it");
                        }
                    }))
                    .isLessThanOrEqualTo(address.startsWith("8") ? 0 : 24);
        }
    }

    @Test
    void recordInTheAccessLogAllocatesNothing() {
        ConfigNode.Place at = ConfigNode.Place.of("test");
        AccessLogConfig config = new ConfigBinder()
                .bind(
                        ConfigNode.Mapping.empty(at)
                                .with("format", new ConfigNode.Scalar(at, "common"))
                                .with("flush-interval", new ConfigNode.Scalar(at, "1m")),
                        AccessLogConfig.class);
        Map<String, AccessLogConfig> one = Map.of("global", config);
        Bench bench = new Bench();
        Program program = bench.program();
        SyntheticRequest request = Bench.request(program, "GET /some/page.html", "127.0.0.1");
        try (AccessLogs log = AccessLogs.open(one, data, bench.clock, bench.stats, bench.log, Runnable::run)) {
            LogLanes lanes = log.lanes();
            long address = perOperation(() -> request.clientAddress().getHostAddress());
            assertThat(perOperation(() -> lanes.append("global", request))).isLessThanOrEqualTo(address);
        }
    }
}
