package io.weir.proxy.pool;

import io.weir.base.ConfigBinder;
import io.weir.base.ConfigNode;
import io.weir.base.SteppedClock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A pool on a clock that moves only when told to; servers are called a, b, c. Owned by one test. */
final class PoolBench implements PoolWatcher {
    final SteppedClock clock = new SteppedClock(1_000_000);
    final List<String> events = new ArrayList<>();
    final ServerPool pool;
    private final int muxers;

    /** Knobs such as {@code health.failures=2}. */
    PoolBench(int muxers, String... knobs) {
        this.muxers = muxers;
        this.pool = new ServerPool("shop", muxers, rules(knobs), clock, this);
    }

    static PoolBench of(int servers, String... knobs) {
        PoolBench bench = new PoolBench(1, knobs);
        bench.servers(servers, knobs);
        return bench;
    }

    PoolRules rules(String... knobs) {
        ConfigNode.Place at = ConfigNode.Place.of("test");
        ConfigNode.Mapping tree = ConfigNode.Mapping.empty(at);
        for (String knob : knobs) {
            int equals = knob.indexOf('=');
            tree = tree.with(knob.substring(0, equals), new ConfigNode.Scalar(at, knob.substring(equals + 1)));
        }
        ConfigBinder binder = new ConfigBinder();
        OriginsConfig config = binder.bind(tree, OriginsConfig.class);
        if (!binder.problems().isEmpty()) {
            throw new IllegalArgumentException(binder.problems().toString());
        }
        return PoolRules.of(config, muxers);
    }

    static OriginKey key(String host) {
        return new OriginKey(false, host, 80, false);
    }

    /** So many servers of weight 1. */
    void servers(int n, String... knobs) {
        int[] weights = new int[n];
        java.util.Arrays.fill(weights, 1);
        weights(rules(knobs), weights);
    }

    void weights(PoolRules rules, int... weights) {
        List<ServerPool.Seat> seats = new ArrayList<>();
        for (int i = 0; i < weights.length; i++) {
            if (weights[i] > 0) {
                seats.add(new ServerPool.Seat(key(String.valueOf((char) ('a' + i))), weights[i]));
            }
        }
        pool.configure(rules, seats);
    }

    PoolServer server(String host) {
        return pool.servers().stream()
                .filter(s -> s.key().host().equals(host))
                .findFirst()
                .orElseThrow();
    }

    Attempts request() {
        return request(RequestKey.NONE);
    }

    Attempts request(RequestKey key) {
        return pool.attempts(0, key);
    }

    /** A request that is answered at once: the server that it came to; "-" for none. */
    String ok() {
        return ok(RequestKey.NONE);
    }

    String ok(RequestKey key) {
        Attempts a = request(key);
        PoolServer s = a.first(clock.nanos());
        a.answered(200, clock.nanos());
        a.over();
        return host(s);
    }

    /** A request that fails at its first server. */
    String fails() {
        Attempts a = request();
        PoolServer s = a.first(clock.nanos());
        a.failed("refused");
        a.over();
        return host(s);
    }

    static String host(@Nullable PoolServer s) {
        return s == null ? "-" : s.key().host();
    }

    /** How often each server was chosen by so many requests. */
    Map<String, Integer> spread(int requests) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (int i = 0; i < requests; i++) {
            counts.merge(ok(), 1, Integer::sum);
        }
        return counts;
    }

    @Override
    public void changed(ServerPool pool, PoolServer server, Standing was, Standing now) {
        events.add(server.key().host() + " " + now.state().word());
    }

    @Override
    public void joined(ServerPool pool, PoolServer server) {
        events.add("+" + server.key().host());
    }

    @Override
    public void left(ServerPool pool, PoolServer server) {
        events.add("-" + server.key().host());
    }
}
