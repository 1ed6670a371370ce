package io.weir.lab.mix;

import io.weir.base.SystemClock;
import io.weir.lab.live.Admin;
import io.weir.lab.process.Await;
import io.weir.lab.scenario.Counters;
import io.weir.lab.scenario.InProcess;
import io.weir.lab.scenario.Weir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * One run: a whole server in this process, two origins of each kind, customers and an operator, all at once for a while; then
 * everybody goes, and nothing is left. Owned by the test's thread.
 */
final class Mix {
    private static final int CUSTOMERS = 14;
    /** A run in three leaves the machine to those who race. */
    private static final int FEW = 2;

    private static final int RACERS = 4;

    /** What must be back at nothing when everybody has gone. */
    private static final List<String> GAUGES = List.of(
            "weir_connections_open",
            "weir_connections_unsent_bytes",
            "weir_keepalive_connections",
            "weir_requests_active",
            "weir_connection_queue_length",
            "weir_work_shared_used",
            "weir_work_queue_length",
            "weir_cache_fills_active",
            "weir_cache_window_bytes",
            "weir_cache_entries",
            "weir_http2_connections",
            "weir_http2_streams",
            "weir_origin_active",
            "weir_proxy_tunnels",
            "weir_proxy_origin_waiting",
            "weir_proxy_origin_idle",
            "weir_proxy_origin_connections",
            "weir_qos_paced_connections");

    private final long seed;
    private final Path folder;
    private final Duration time;
    private final Ledger ledger = new Ledger(List.of("one", "other"));

    Mix(long seed, Path folder, Duration time) {
        this.seed = seed;
        this.folder = folder;
        this.time = time;
    }

    Ledger ledger() {
        return ledger;
    }

    /** Runs to the end, whatever is found. */
    void run() throws Exception {
        try (MixOrigin one = new MixOrigin("one", ledger, seed, false);
                MixOrigin other = new MixOrigin("other", ledger, seed, false);
                MixOrigin second = new MixOrigin("second", ledger, seed, true);
                Weir weir = new InProcess().start(config(one, other, second), folder.resolve("data"), List.of())) {
            Admin admin = new Admin(weir);
            traffic(weir, admin, targets(one), List.of(one, other));
            nothingIsLeft(weir, admin);
            for (String line : weir.log()) {
                // a defect that the server noticed itself
                if (line.contains("WEIR-101701") || line.contains("WEIR-101700") || line.contains("Exception")) {
                    ledger.violation(Feature.GAUGES, "the server's log: " + line);
                }
            }
        }
    }

    private static List<Target> targets(MixOrigin forward) {
        List<Target> targets = new ArrayList<>();
        String there = "127.0.0.1:" + forward.port();
        for (int n = 0; n < 6; n++) {
            targets.add(new Target(Target.Place.REVERSE, "mix.test", "hhhvbx".charAt(n), n));
            if (Feature.HTTP2_ORIGINS.isOn()) {
                targets.add(new Target(Target.Place.SECOND, "two.test", "hhhvbx".charAt(n), n));
            }
            if (Feature.FORWARD.isOn()) {
                targets.add(new Target(Target.Place.FORWARD, there, "hhhvbx".charAt(n), n));
            }
        }
        targets.removeIf(t -> t.varies() && !Feature.VARIANTS.isOn());
        return targets;
    }

    private Path config(MixOrigin one, MixOrigin other, MixOrigin second) throws IOException {
        String text = """
                listeners:
                  http: {address: 127.0.0.1, port: 0, proxy-protocol: {enabled: on}}
                admin: {port: 0}
                kernel: {socket-readers: 2}
                cache: {max-object-size: 512KiB}
                proxy:
                  destinations: {clients: [127.0.0.0/8, 203.0.113.0/24]}
                  origins:
                    main: {servers: [{url: "@ONE@"}, {url: "@OTHER@"}], health: {failures: 0}}
                    second: {servers: [{url: "@SECOND@"}], health: {failures: 0}, http2: on}
                  routes: @ROUTES@
                """;
        Path file = folder.resolve("weir.yaml");
        Files.writeString(
                file,
                text.replace("@ONE@", one.url())
                        .replace("@OTHER@", other.url())
                        .replace("@SECOND@", second.url())
                        .replace("@ROUTES@", Operator.routes(0).replace("\n", " ")));
        return file;
    }

    private void traffic(Weir weir, Admin admin, List<Target> targets, List<MixOrigin> servers) throws Exception {
        Operator operator = new Operator(admin, ledger, Dice.of(seed, -1), targets, servers);
        List<Customer> customers = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        int few = seed % 3 == 0 && Feature.PURGES.isOn() ? FEW : CUSTOMERS;
        for (int n = 0; n < few; n++) {
            Ask.Who who = n < 8 || !Feature.OUTSIDERS.isOn()
                    ? Ask.Who.INSIDER
                    : n < CUSTOMERS - 1 ? Ask.Who.OUTSIDER : Ask.Who.STRANGER;
            customers.add(new Customer(n, seed, who, weir.port("http"), ledger, targets));
        }
        List<Racer> racers = IntStream.range(100, 100 + RACERS)
                .mapToObj(n -> new Racer(seed, weir.port("http"), ledger, n))
                .toList();
        if (Feature.PURGES.isOn()) {
            racers.forEach(r -> threads.add(Thread.ofVirtual().unstarted(r)));
        }
        customers.forEach(c -> threads.add(Thread.ofVirtual().unstarted(c)));
        threads.add(Thread.ofVirtual().unstarted(operator));
        threads.forEach(Thread::start);
        long begun = SystemClock.INSTANCE.nanos();
        while (SystemClock.INSTANCE.nanos() - begun < time.toNanos()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
        operator.stop();
        customers.forEach(Customer::stop);
        racers.forEach(Racer::stop);
        for (Thread t : threads) {
            if (!t.join(Duration.ofMillis(2L * Wire.PATIENCE_MILLIS))) {
                ledger.violation(Feature.CUTS, "a customer or the operator never ended");
            }
        }
    }

    /** Everybody has gone: every gauge comes back. */
    private void nothingIsLeft(Weir weir, Admin admin) throws Exception {
        admin.patch("{\"proxy.origin-pool.idle-time-out\": \"0s\", \"proxy.time-outs.after-client-abort\": \"0s\"}");
        Counters counters = new Counters(weir.port("admin"), SystemClock.INSTANCE);
        boolean back = Await.within(Duration.ofSeconds(60), () -> {
            // fills that went on without their clients may still have stored something
            admin.ask("DELETE", "/cache?all", "");
            return left(counters).isEmpty();
        });
        if (!back) {
            ledger.violation(Feature.GAUGES, "left when all had gone: " + left(counters));
        }
    }

    private static List<String> left(Counters counters) {
        Counters.Reading now = counters.read();
        List<String> left = new ArrayList<>();
        for (String gauge : GAUGES) {
            if (!now.knows(gauge)) {
                left.add("no gauge " + gauge);
            } else if (now.sum(gauge, "") != 0) {
                left.add(gauge + " " + now.sum(gauge, ""));
            }
        }
        return left;
    }
}
