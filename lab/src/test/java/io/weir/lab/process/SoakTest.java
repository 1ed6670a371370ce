package io.weir.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SystemClock;
import io.weir.lab.load.LoadOrigin;
import io.weir.lab.load.ProcessFacts;
import io.weir.lab.load.SoakClients;
import io.weir.lab.load.SoakClients.Manner;
import io.weir.lab.scenario.Counters;
import io.weir.lab.scenario.ProcessLauncher;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** 1,000 slow, fast and rude clients for a while: no buffer leaks, no connection stays, memory stays flat. */
@Tag("slow")
@Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SoakTest {
    private static final int CLIENTS = Integer.getInteger("soak.clients", 1000);
    private static final long MILLIS = 1000L * Integer.getInteger("soak.seconds", 6);
    private static final int MORE = 60;
    private static final long FLAT_BYTES = 96L << 20;
    private static final long SEED = Long.getLong("soak.seed", SystemClock.INSTANCE.nanos());

    @TempDir
    Path folder = Path.of("");

    @Test
    void thousandRudeClientsLeaveNothingBehind(TestReporter reporter) throws Exception {
        try (LoadOrigin origin = new LoadOrigin();
                ProcessLauncher.Running weir = Servers.launcher()
                        .withJvmOptions("-Xms256m", "-XX:+AlwaysPreTouch")
                        .start(Servers.reverse(folder, origin.port(), SETTINGS), folder.resolve("data"), List.of())) {
            Counters counters = new Counters(weir.port("admin"), SystemClock.INSTANCE);
            SoakClients warm = SoakClients.run(weir.port("http"), CLIENTS, MILLIS / 6, SEED, SystemClock.INSTANCE);
            settle(counters, origin);
            collect(weir);
            long before = ProcessFacts.residentBytes(weir.pid());
            long heapBefore = usedHeap(weir);
            double directBefore = counters.read().sum("netty_direct_memory_used_bytes", "");
            SoakClients soak = SoakClients.run(weir.port("http"), CLIENTS, MILLIS, SEED + 1, SystemClock.INSTANCE);
            List<SoakClients> all = new ArrayList<>(List.of(warm, soak));
            // a busy machine needs more time until each has been there
            for (int i = 0; i < MORE && !everyManner(all); i++) {
                all.add(SoakClients.run(weir.port("http"), CLIENTS, MILLIS / 6, SEED + 2 + i, SystemClock.INSTANCE));
            }
            settle(counters, origin);
            collect(weir);
            long grown = ProcessFacts.residentBytes(weir.pid()) - before;
            double direct = counters.read().sum("netty_direct_memory_used_bytes", "");
            reporter.publishEntry(
                    "soak",
                    "seed=" + SEED + " grown=" + grown + " heap=" + heapBefore + "->" + usedHeap(weir) + " direct="
                            + directBefore + "->" + direct + " " + soak);
            assertThat(everyManner(all)).as("seed %d: %s", SEED, all).isTrue();
            assertThat(soak.answers()).as("answers").isPositive();
            assertThat(grown).as("seed %d: growth of the resident set", SEED).isLessThan(FLAT_BYTES);
            assertThat(usedHeap(weir) - heapBefore)
                    .as("seed %d: growth of the heap", SEED)
                    .isLessThan(FLAT_BYTES / 4);
            assertThat(counters.read().sum("netty_direct_memory_used_bytes", "") - directBefore)
                    .as("seed %d: growth of pooled buffers", SEED)
                    .isLessThan(FLAT_BYTES / 2);
            assertThat(weir.log()).as("seed %d", SEED).noneMatch(l -> l.contains("LEAK"));
            weir.stop();
            assertThat(weir.exit()).isZero();
            assertThat(weir.log()).noneMatch(l -> l.contains("LEAK"));
        }
    }

    /** Nothing is remembered as uncacheable: requests wait for each other, and are released together, all the time. */
    @Test
    void requestsThatWaitForEachOtherLeaveNothingBehind() throws Exception {
        try (LoadOrigin origin = new LoadOrigin();
                ProcessLauncher.Running weir = Servers.launcher()
                        .start(
                                Servers.reverse(folder, origin.port(), SETTINGS),
                                folder.resolve("data"),
                                List.of("cache.hit-for-miss=0s"))) {
            SoakClients soak = SoakClients.run(weir.port("http"), CLIENTS, MILLIS / 6, SEED, SystemClock.INSTANCE);
            settle(new Counters(weir.port("admin"), SystemClock.INSTANCE), origin);
            assertThat(soak.answers()).as("seed %d: answers", SEED).isPositive();
            weir.stop();
            assertThat(weir.exit()).isZero();
            assertThat(weir.log()).as("seed %d", SEED).noneMatch(l -> l.contains("LEAK"));
        }
    }

    /** Short time-outs, and a store that is full after the warm-up: what grows then is no object. */
    private static final String SETTINGS = """
            cache: {memory-budget: 4MiB}
            kernel:
              accept-time-out: 2s
              keep-alive: {timeout: 2s}
              time-outs: {header: 2s, body: 2s, write: 2s}
            """;

    private static boolean everyManner(List<SoakClients> all) {
        return Arrays.stream(Manner.values()).allMatch(m -> all.stream().anyMatch(s -> s.done(m) > 0));
    }

    /** Every connection of the clients is gone within the time-outs. */
    private static void settle(Counters counters, LoadOrigin origin) throws Exception {
        for (String gauge : List.of("weir_connections_open", "weir_requests_active", "weir_cache_fills_active")) {
            assertThat(Servers.within(120_000, () -> counters.read().sum(gauge, "") == 0))
                    .as("%s after the soak; %s", gauge, standing(counters))
                    .isTrue();
        }
        assertThat(origin.requests()).isPositive();
    }

    /** What still stands, for who has to find out why. */
    private static String standing(Counters counters) throws Exception {
        Counters.Reading now = counters.read();
        return Stream.of(
                        "weir_connections_open",
                        "weir_keepalive_connections",
                        "weir_connection_queue_length",
                        "weir_requests_active",
                        "weir_cache_fills_active",
                        "weir_proxy_origin_connections",
                        "weir_proxy_origin_waiting")
                .map(name -> name + "=" + (long) now.sum(name, ""))
                .collect(Collectors.joining(" "));
    }

    /** Collects, allocates through some exchanges, collects again: leaks are reported at the next allocation. */
    private static void collect(ProcessLauncher.Running weir) throws Exception {
        for (int i = 0; i < 2; i++) {
            ProcessFacts.jcmd(weir.pid(), "GC.run");
            SoakClients.run(weir.port("http"), 4, 100, SEED, SystemClock.INSTANCE);
        }
        ProcessFacts.jcmd(weir.pid(), "GC.run");
    }

    private static String heapLine(ProcessLauncher.Running weir) throws Exception {
        return ProcessFacts.jcmd(weir.pid(), "GC.heap_info");
    }

    private static long usedHeap(ProcessLauncher.Running weir) throws Exception {
        return java.util.regex.Pattern.compile("used (\\d+)K")
                .matcher(heapLine(weir))
                .results()
                .mapToLong(m -> Long.parseLong(m.group(1)) * 1024)
                .limit(2)
                .sum();
    }
}
