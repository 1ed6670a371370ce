package io.weir.lab.mix;

import io.weir.lab.live.Admin;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/** Who forgets stored answers and changes knobs, routes and rules while requests run. Confined to its thread. */
final class Operator implements Runnable {
    /** Values that change what happens, and nothing that a client is promised. */
    private static final List<String> KNOBS = List.of(
            "\"kernel.request-throttle\": 4",
            "\"kernel.request-throttle\": 128",
            "\"kernel.mode\": \"low-latency\"",
            "\"kernel.mode\": \"high-concurrency\"",
            "\"kernel.pipelining-depth\": 1",
            "\"kernel.pipelining-depth\": 8",
            "\"cache.hit-for-miss\": \"0s\"",
            "\"cache.hit-for-miss\": \"60s\"",
            "\"cache.max-waiters\": 1",
            "\"cache.max-waiters\": 10000",
            "\"cache.fill-window\": \"16KiB\"",
            "\"cache.fill-window\": \"256KiB\"",
            "\"cache.term-percent\": 0",
            "\"cache.term-percent\": 100",
            "\"proxy.time-outs.after-client-abort\": \"0s\"",
            "\"proxy.time-outs.after-client-abort\": \"15s\"",
            "\"proxy.origin-pool.max-connections-per-origin\": 2",
            "\"proxy.origin-pool.max-connections-per-origin\": 64",
            "\"proxy.origin-pool.max-idle\": 1",
            "\"proxy.origin-pool.max-idle\": 1024",
            "\"proxy.origin-pool.max-uses\": 2",
            "\"proxy.origin-pool.max-uses\": 0");

    private static final String ROUTES = """
            [{"methods": ["CONNECT"], "connect": {"enabled": true, "ports": ["1-65535"]}},
             {"hosts": ["mix.test"], "pool": "main", "set-response-headers": {"X-Route": "@N@"}},
             {"hosts": ["two.test"], "pool": "second", "set-response-headers": {"X-Route": "@N@"}},
             {"forward": true, "set-response-headers": {"X-Route": "@N@"}}]""";

    private final Admin admin;
    private final Ledger ledger;
    private final Dice dice;
    private final List<Target> targets;
    /** Origins of the first pool. */
    private final List<MixOrigin> servers;

    private volatile boolean stopped;
    private int route;

    Operator(Admin admin, Ledger ledger, Dice dice, List<Target> targets, List<MixOrigin> servers) {
        this.admin = admin;
        this.ledger = ledger;
        this.dice = dice;
        this.targets = targets;
        this.servers = servers;
    }

    static String routes(int number) {
        return ROUTES.replace("@N@", Integer.toString(number));
    }

    @Override
    public void run() {
        try {
            while (!stopped) {
                step();
                dice.pause(20_000);
            }
        } catch (IOException | AssertionError e) {
            ledger.violation(Feature.KNOBS, "the operator was refused: " + e);
        }
    }

    void stop() {
        stopped = true;
    }

    private void step() throws IOException {
        int what = dice.below(100);
        if (what < 60) {
            purge();
        } else if (what < 70) {
            routes();
        } else if (what < 78) {
            servers();
        } else if (what < 90) {
            rules(dice.percent(50));
        } else if (Feature.KNOBS.isOn()) {
            admin.patch("{" + dice.pick(KNOBS) + "}");
            ledger.count("operator: knobs");
        }
    }

    private void purge() throws IOException {
        boolean all = dice.percent(3);
        Target target = dice.pick(targets);
        if (!Feature.PURGES.isOn()) {
            return;
        }
        long begun = ledger.now();
        String url = "http://" + target.key();
        int status = admin.ask(
                        "DELETE",
                        "/cache?" + (all ? "all" : "url=" + URLEncoder.encode(url, StandardCharsets.UTF_8)),
                        "")
                .status();
        if (status != 200) {
            ledger.violation(Feature.PURGES, "the purge of " + url + " was answered " + status);
        }
        for (Target t : all ? targets : List.of(target)) {
            ledger.forgot(t.key(), begun);
        }
        ledger.count("operator: purges");
    }

    private void routes() throws IOException {
        if (Feature.ROUTES.isOn()) {
            ledger.routes.asked(ledger.now(), ++route);
            admin.patch("{\"proxy.routes\": " + routes(route) + "}");
            ledger.routes.answered(ledger.now());
            ledger.count("operator: routes");
        }
    }

    private void servers() throws IOException {
        int which = dice.below(servers.size() + 1);
        if (Feature.ROUTES.isOn()) {
            List<MixOrigin> chosen = which == servers.size() ? servers : List.of(servers.get(which));
            ledger.servers.asked(ledger.now(), chosen.stream().map(s -> s.name).toList());
            admin.patch("{\"proxy.origins.main.servers\": "
                    + chosen.stream()
                            .map(s -> "{\"url\": \"" + s.url() + "\"}")
                            .collect(Collectors.joining(",", "[", "]"))
                    + "}");
            ledger.servers.answered(ledger.now());
            ledger.count("operator: servers");
        }
    }

    private void rules(boolean pass) throws IOException {
        if (Feature.RULES.isOn()) {
            ledger.outsidersMayPass.asked(ledger.now(), pass);
            admin.patch("{\"proxy.destinations.allow\": " + (pass ? "[\"127.0.0.0/8\"]" : "[]") + "}");
            ledger.outsidersMayPass.answered(ledger.now());
            ledger.count("operator: rules");
        }
    }
}
