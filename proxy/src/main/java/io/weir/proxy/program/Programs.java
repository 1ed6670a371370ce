package io.weir.proxy.program;

import io.netty.util.NetUtil;
import io.weir.base.Chance;
import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import io.weir.base.Network;
import io.weir.base.TextFile;
import io.weir.http.Fields;
import io.weir.proxy.program.build.ProgramBuilder;
import io.weir.proxy.program.build.ProgramSource;
import io.weir.proxy.program.config.NameServer;
import io.weir.proxy.program.config.ProxyConfig;
import io.weir.proxy.program.config.VirtualServerConfig;
import io.weir.proxy.program.destination.DestinationRules;
import io.weir.proxy.program.functions.FunctionCatalogue;
import io.weir.proxy.program.match.HostPattern;
import io.weir.proxy.program.objconf.ObjConfSource;
import io.weir.proxy.program.run.PerformanceBuckets;
import io.weir.proxy.program.run.Program;
import io.weir.proxy.program.run.WorkPools;
import io.weir.proxy.program.server.VirtualServers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compiles a configuration to a program. Stateless. */
public final class Programs {
    private Programs() {}

    /**
     * The result of compiling: a program, or problems.
     *
     * @param program null if there are problems
     * @param problems all of them, each with its place
     */
    public record Compiled(@Nullable Program program, List<ConfigProblem> problems) {
        /** The program. @throws IllegalArgumentException listing the problems if there are any */
        public Program orThrow() {
            if (program == null) {
                throw new IllegalArgumentException(problems.toString());
            }
            return program;
        }
    }

    private static void trusted(String network, ConfigNode.Place at, ProgramBuilder builder) {
        try {
            Network.parse(network);
        } catch (IllegalArgumentException e) {
            builder.problem(at, "proxy.trusted-proxies", String.valueOf(e.getMessage()));
        }
    }

    private static void trailer(String name, ConfigNode.Place at, ProgramBuilder builder) {
        try {
            new Fields().add(name, "");
        } catch (IllegalArgumentException e) {
            builder.problem(at, "proxy.trailers", "expected a field's name, found \"" + name + "\"");
        }
    }

    private static void nameServer(String server, ConfigNode.Place at, ProgramBuilder builder) {
        try {
            NameServer.parse(server);
        } catch (IllegalArgumentException e) {
            builder.problem(at, "proxy.dns.servers", String.valueOf(e.getMessage()));
        }
    }

    private static void bind(@Nullable String address, ConfigNode.Place at, ProgramBuilder builder) {
        if (address != null && !address.isEmpty() && NetUtil.createInetAddressFromIpAddressString(address) == null) {
            builder.problem(at, "proxy.origin-pool.bind", "expected an address, found \"" + address + "\"");
        }
    }

    /** The name is copied to Via unchanged (RFC 9110 section 7.6.3: a token, or a host with a port). */
    private static void pseudonym(String name, ConfigNode.Place at, ProgramBuilder builder) {
        if (!name.matches("[!#$%&'*+.^_`|~0-9A-Za-z:-]+")) {
            builder.problem(
                    at, "proxy.via-pseudonym", "expected a name without spaces or commas, found \"" + name + "\"");
        }
    }

    private static ConfigNode.Place place(ConfigNode.@Nullable Mapping tree) {
        if (tree == null) {
            return ConfigNode.Place.of("configuration");
        }
        ConfigNode proxy = tree.entries().get("proxy");
        ConfigNode destinations =
                proxy instanceof ConfigNode.Mapping m ? m.entries().get("destinations") : null;
        return destinations != null ? destinations.at() : proxy == null ? tree.at() : proxy.at();
    }

    /**
     * Compiles the routes, or the objects.
     *
     * @param functions functions that they may name
     * @param chance for the random choices of objects
     * @param tree the whole configuration as written, for places; null if there is none
     */
    public static Compiled compile(
            ProxyConfig config,
            Map<String, VirtualServerConfig> virtualServers,
            WorkPools pools,
            FunctionCatalogue functions,
            Chance chance,
            ConfigNode.@Nullable Mapping tree) {
        VirtualServers servers = VirtualServers.of(virtualServers);
        ProgramBuilder builder = new ProgramBuilder(functions, pools, servers);
        ConfigNode.Place at = place(tree);
        counting(config, servers, tree, builder);
        DestinationRules destinations = DestinationRules.of(
                config.destinations(), (key, what) -> builder.problem(at, "proxy.destinations." + key, what));
        pseudonym(config.pseudonym("weir"), at, builder);
        for (String network : config.trustedProxies()) {
            trusted(network, at, builder);
        }
        for (String name : config.trailers()) {
            trailer(name, at, builder);
        }
        bind(config.originPool().bind(), at, builder);
        for (String server : config.dns().servers()) {
            nameServer(server, at, builder);
        }
        virtualServers.forEach(
                (name, v) -> builder.runsUnder(v.workManager(), v.requestClass(), at, "virtual-servers." + name));
        virtualServers.forEach((name, v) -> hosts("virtual-servers." + name + ".hosts", v.hosts(), tree, builder));
        config.origins().forEach((name, pool) -> OriginsCheck.of(name, pool, at, builder));
        source(config, servers, chance, tree, builder).compile(builder);
        AccessLogCheck.of(config, servers, (key, what) -> builder.problem(at, "proxy." + key, what));
        AccessLogCheck.named(config, builder);
        Program program = builder.build(destinations, config.restarts());
        return new Compiled(program, builder.problems());
    }

    private static ProgramSource source(
            ProxyConfig config,
            VirtualServers servers,
            Chance chance,
            ConfigNode.@Nullable Mapping tree,
            ProgramBuilder builder) {
        TextFile objects = config.objects();
        if (objects == null) {
            return new RouteSource(config, servers, tree);
        }
        if (!config.routes().isEmpty()) {
            builder.problem(
                    tree == null ? place(null) : tree.nearestPlace("proxy.objects"),
                    "proxy.objects",
                    "either proxy.routes or proxy.objects: a server has one program");
        }
        return new ObjConfSource(
                objects.name(),
                objects.text(),
                new ObjConfSource.Settings(config.variables(), config.urlFilters(), config.mimeTypes()),
                chance);
    }

    /** Performance buckets, and the work managers of functions. */
    private static void counting(
            ProxyConfig config, VirtualServers servers, ConfigNode.@Nullable Mapping tree, ProgramBuilder builder) {
        PerformanceBuckets declared = PerformanceBuckets.of(config.buckets(), servers, (name, what) -> {
            String key = name.isEmpty() ? "proxy.buckets" : "proxy.buckets." + name;
            builder.problem(tree == null ? place(null) : tree.nearestPlace(key), key, what);
        });
        builder.buckets(config.profiling() ? declared : PerformanceBuckets.OFF);
        config.functionWorkManagers().forEach((function, pool) -> {
            String key = "proxy.function-work-managers." + function;
            builder.functionPool(function, pool, tree == null ? place(null) : tree.nearestPlace(key), key);
        });
    }

    private static void hosts(
            String key, List<String> hosts, ConfigNode.@Nullable Mapping tree, ProgramBuilder builder) {
        for (String host : hosts) {
            String why = HostPattern.problem(host);
            if (why != null) {
                String all = host.equals("*") ? "; for all hosts that no other has, leave it out" : "";
                builder.problem(tree == null ? place(null) : tree.nearestPlace(key), key, why + all);
            }
        }
    }

    /**
     * Hosts of virtual servers for which no request reaches them, and routes that no request can match, with the
     * reason: they are valid but have no effect.
     *
     * @param listeners HTTP listeners, each with its virtual server
     * @param tree the whole configuration as written, for places
     */
    public static List<ConfigProblem> unreachable(
            ProxyConfig config,
            Map<String, VirtualServerConfig> virtualServers,
            Map<String, String> listeners,
            ConfigNode.Mapping tree) {
        VirtualServers servers = VirtualServers.of(virtualServers);
        ServerReach reach = new ServerReach(servers, listeners);
        List<ConfigProblem> found = new ArrayList<>(reach.taken(tree));
        found.addAll(new RouteSource(config, servers, tree).never(reach));
        return found;
    }
}
