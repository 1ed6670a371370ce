package io.weir.proxy.program;

import io.weir.base.Chance;
import io.weir.base.ConfigBinder;
import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SteppedClock;
import io.weir.proxy.program.config.ProxyConfig;
import io.weir.proxy.program.config.VirtualServerConfig;
import io.weir.proxy.program.functions.FunctionCatalogue;
import io.weir.proxy.program.run.Program;
import io.weir.proxy.program.run.ProgramHost;
import io.weir.proxy.program.run.ProgramRun;
import io.weir.proxy.program.run.RunState;
import io.weir.proxy.program.run.WorkPools;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A program from a few words of configuration, and requests to it: what the tests of this package stand on. */
public final class Bench {
    static final ConfigNode.Place AT = new ConfigNode.Place("weir.yaml", 7, 3);

    public final Stats stats = new Stats();
    public final RecordingLog log = new RecordingLog();
    public final SteppedClock clock = new SteppedClock(1_000_000);
    public final ProgramHost host;
    Map<String, VirtualServerConfig> servers = Map.of();
    private final List<ConfigNode> routes = new ArrayList<>();
    private final Map<String, ConfigNode> proxy = new LinkedHashMap<>();

    public Bench() {
        this(WorkPools.NONE);
    }

    Bench(WorkPools pools) {
        host = new ProgramHost(pools, clock, stats, log);
    }

    /** Adds a route: keys and values, where a value is a text, a list or a map of these. */
    public Bench route(Object... keysAndValues) {
        routes.add(node(map(keysAndValues)));
        return this;
    }

    /** Sets a key of the section {@code proxy}. */
    public Bench set(String key, Object value) {
        proxy.put(key, node(value));
        return this;
    }

    public static Map<String, Object> map(Object... keysAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return map;
    }

    private static ConfigNode node(Object value) {
        if (value instanceof Map<?, ?> m) {
            Map<String, ConfigNode> entries = new LinkedHashMap<>();
            m.forEach((k, v) -> entries.put((String) k, node(v)));
            return new ConfigNode.Mapping(AT, entries, Map.of());
        }
        if (value instanceof List<?> l) {
            return new ConfigNode.Sequence(AT, l.stream().map(Bench::node).toList());
        }
        return new ConfigNode.Scalar(AT, value.toString());
    }

    ProxyConfig config() {
        Map<String, ConfigNode> all = new LinkedHashMap<>(proxy);
        if (!routes.isEmpty()) {
            all.put("routes", new ConfigNode.Sequence(AT, routes));
        }
        ConfigBinder binder = new ConfigBinder();
        ProxyConfig config = binder.bind(new ConfigNode.Mapping(AT, all, Map.of()), ProxyConfig.class);
        if (!binder.problems().isEmpty()) {
            throw new IllegalArgumentException(binder.problems().toString());
        }
        return config;
    }

    ConfigNode.Mapping tree() {
        Map<String, ConfigNode> all = new LinkedHashMap<>();
        all.put("routes", new ConfigNode.Sequence(AT, routes));
        return new ConfigNode.Mapping(AT, Map.of("proxy", new ConfigNode.Mapping(AT, all, Map.of())), Map.of());
    }

    public Program program() {
        return Programs.compile(config(), servers, host.pools(), FunctionCatalogue.builtin(), Chance.seeded(1), tree())
                .orThrow();
    }

    public List<ConfigProblem> problems() {
        return Programs.compile(config(), servers, host.pools(), FunctionCatalogue.builtin(), Chance.seeded(1), tree())
                .problems();
    }

    /** What became of a request: the run after {@code start} and, when that was ready, {@code service}. */
    public ProgramRun run(String head) {
        return run(program(), head, "127.0.0.1");
    }

    ProgramRun run(Program program, String head, String client) {
        SyntheticRequest request = request(program, head, client);
        ProgramRun run = new ProgramRun(host, null);
        if (run.start(request, program) == RunState.READY) {
            run.service();
        }
        return run;
    }

    public static SyntheticRequest request(Program program, String head, String client) {
        String text = head.contains("\r\n") ? head : head + " HTTP/1.1\r\nHost: www.example.com\r\n\r\n";
        return SyntheticRequest.of(text, address(client), program.virtualServers(), "http", "default");
    }

    public static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    static String host(String line, String host) {
        return line + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
    }
}
