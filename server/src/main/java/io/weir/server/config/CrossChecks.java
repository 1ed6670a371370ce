package io.weir.server.config;

import io.weir.base.Chance;
import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import io.weir.base.KeyPath;
import io.weir.base.Nearest;
import io.weir.broker.config.DestinationConfig;
import io.weir.broker.config.MessagingConfig;
import io.weir.kernel.Kernel;
import io.weir.kernel.listen.ListenerConfig;
import io.weir.kernel.settings.MuxerKind;
import io.weir.kernel.tls.CertificateFiles;
import io.weir.kernel.tls.TlsConfig;
import io.weir.proxy.accesslog.AccessLogConfig;
import io.weir.proxy.cache.config.DiskConfig;
import io.weir.proxy.program.Programs;
import io.weir.proxy.program.functions.DumpFunctions;
import io.weir.proxy.program.functions.FunctionCatalogue;
import io.weir.proxy.program.run.Program;
import io.weir.server.log.LogLevels;
import io.weir.wire.server.WireConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Checks across keys: references between sections, and shared resources. Used once. */
final class CrossChecks {
    /** The virtual server that exists without being configured. */
    private static final String DEFAULT = "default";

    /** Folders of the data directory that are not the disk tier's. */
    private static final String OTHER_USE =
            ", which the server uses for something else: name another folder, such as cache";

    private static final Set<String> OF_THE_SERVER =
            Set.of("messaging", "cluster", "statistics", "history", "workers", "log", "logs");

    private final WeirConfig config;
    private final FunctionCatalogue functions;
    private final ConfigNode.Mapping tree;
    private final List<ConfigProblem> problems = new ArrayList<>();
    private final Set<String> wrong = new HashSet<>();

    private CrossChecks(WeirConfig config, FunctionCatalogue functions, ConfigNode.Mapping tree) {
        this.config = config;
        this.functions = functions;
        this.tree = tree;
    }

    /**
     * Every problem of a bound configuration.
     *
     * @param wrong keys already known to be wrong; they are bound to their defaults, which are not compared
     */
    static List<ConfigProblem> of(
            WeirConfig config, FunctionCatalogue functions, ConfigNode.Mapping tree, List<ConfigProblem> wrong) {
        CrossChecks checks = new CrossChecks(config, functions, tree);
        wrong.forEach(p -> checks.wrong.add(p.key()));
        checks.logLevels();
        checks.processes();
        checks.listeners();
        checks.ports();
        checks.virtualServers();
        checks.problems.addAll(WorkChecks.of(config, tree));
        checks.messaging();
        checks.problems.addAll(ClusterChecks.of(config, tree));
        checks.program();
        checks.logs();
        checks.disks();
        return checks.problems;
    }

    private void logLevels() {
        for (String entry : config.server().log().levels()) {
            String problem = LogLevels.problem(entry);
            if (problem != null) {
                report("server.log.levels", problem);
            }
        }
    }

    /** Only epoll's channels can pass sockets to other processes. */
    private void processes() {
        MuxerKind muxer = config.kernel().muxer();
        if (config.server().processes() > 1 && muxer != MuxerKind.AUTO && muxer != MuxerKind.EPOLL) {
            report(
                    "server.processes",
                    "more than one process needs kernel.muxer auto or epoll, which is " + muxer.spelling());
        }
    }

    private void listeners() {
        if (config.listeners().isEmpty()) {
            report("listeners", "no listener is configured: add one, such as listeners: {http: {port: 8080}}");
        }
        TreeSet<String> known = new TreeSet<>(config.virtualServers().keySet());
        known.add(DEFAULT);
        config.listeners().forEach((name, l) -> {
            requireKnown("listeners." + name + ".virtual-server", "virtual server", l.virtualServer(), known);
            certificates("listeners." + name + ".tls.certificates", l.tls());
        });
    }

    private void certificates(String key, TlsConfig tls) {
        for (int i = 0; i < tls.certificates().size(); i++) {
            CertificateFiles c = tls.certificates().get(i).files();
            String at = key + "[" + i + "]";
            if (c.pkcs12() != null) {
                readable(at + ".pkcs12", c.pkcs12());
            } else if (c.chainFile() == null || c.keyFile() == null) {
                report(at, "a certificate needs chain-file and key-file, or pkcs12");
            } else {
                readable(at + ".chain-file", c.chainFile());
                readable(at + ".key-file", c.keyFile());
            }
        }
        if (tls.clientTrust() != null) {
            readable(key.replace(".certificates", ".client-trust"), tls.clientTrust());
        } else if (tls.clientAuth() != TlsConfig.ClientAuth.NONE) {
            report(
                    key.replace(".certificates", ".client-auth"),
                    "needs client-trust: the authorities of the trusted" + " certificates");
        }
    }

    private void readable(String key, @Nullable String file) {
        Path path = Path.of(String.valueOf(file));
        if (!Files.isRegularFile(path) || !Files.isReadable(path)) {
            report(key, "the file " + path.toAbsolutePath() + " does not exist or cannot be read");
        }
    }

    /** Two listeners on one port would fail at start; 0 takes a different free one for each. */
    private void ports() {
        Map<String, String> taken = new LinkedHashMap<>();
        if (config.admin().enabled()) {
            take(taken, "admin.port", config.admin().address(), config.admin().port());
        }
        for (Map.Entry<String, ListenerConfig> e : config.listeners().entrySet()) {
            take(
                    taken,
                    "listeners." + e.getKey() + ".port",
                    e.getValue().address(),
                    e.getValue().port());
        }
    }

    private void take(Map<String, String> taken, String key, String address, int port) {
        if (port == 0 || wrong.contains(key)) {
            return;
        }
        boolean any = address.equals("0.0.0.0") || address.equals("::");
        for (Map.Entry<String, String> e : taken.entrySet()) {
            String other = e.getKey();
            boolean samePort = other.endsWith("]:" + port);
            boolean overlap = any || other.startsWith("[0.0.0.0]") || other.startsWith("[::]");
            if (samePort && (overlap || other.startsWith("[" + address + "]"))) {
                report(key, "the port " + port + " of " + address + " is taken by " + e.getValue() + " already");
                return;
            }
        }
        taken.put("[" + address + "]:" + port, key);
    }

    private void virtualServers() {
        config.virtualServers().forEach((name, v) -> {
            for (String listener : v.listeners()) {
                requireKnown(
                        "virtual-servers." + name + ".listeners",
                        "listener",
                        listener,
                        config.listeners().keySet());
            }
        });
    }

    private void messaging() {
        MessagingConfig m = config.messaging();
        quotas("messaging.queues", m.queues());
        quotas("messaging.topics", m.topics());
        jndiNames(m);
        WireConfig.OutboundConfig out = m.wire().outbound();
        if (out.low().bytes() > out.high().bytes()) {
            report("messaging.wire.outbound.low", "is " + out.low() + ", more than high " + out.high());
        }
        if (out.limit().bytes() < m.wire().maxFrame().bytes() + out.high().bytes()) {
            report(
                    "messaging.wire.outbound.limit",
                    "is " + out.limit() + ", less than max-frame and outbound.high together: one large message would"
                            + " disconnect its consumer");
        }
    }

    /** A name that two entries have would lead clients to one of them. */
    private void jndiNames(MessagingConfig m) {
        Map<String, String> holders = new HashMap<>();
        holders.put("jms/default", "the default connection factory");
        m.connectionFactories().forEach((name, f) -> {
            if (!name.equals("default") || !f.jndiName().isEmpty()) {
                jndiName("messaging.connection-factories", name, f.jndiName(), "jms/" + name, holders);
            }
        });
        m.queues().forEach((name, d) -> jndiName("messaging.queues", name, d.jndiName(), "queue/" + name, holders));
        m.topics().forEach((name, d) -> jndiName("messaging.topics", name, d.jndiName(), "topic/" + name, holders));
    }

    private void jndiName(String section, String name, String given, String own, Map<String, String> holders) {
        String key = KeyPath.join(section, name);
        String bound = given.isEmpty() ? own : given;
        String holder = holders.putIfAbsent(bound, key);
        if (holder != null) {
            report(
                    given.isEmpty() ? key : key + ".jndi-name",
                    "is looked up as " + bound + ", which is the name of " + holder
                            + ", too: give it another jndi-name");
        }
    }

    private void quotas(String section, Map<String, DestinationConfig> destinations) {
        destinations.forEach((name, d) -> {
            if (!d.quota().isEmpty()) {
                requireKnown(
                        KeyPath.join(section, name) + ".quota",
                        "quota",
                        d.quota(),
                        config.messaging().quotas().keySet());
            }
        });
    }

    private void program() {
        TreeSet<String> pools = new TreeSet<>(config.workManagers().keySet());
        pools.add(Kernel.DEFAULT);
        Programs.Compiled compiled = Programs.compile(
                config.proxy(),
                config.virtualServers(),
                new PoolNames(pools, config.requestClasses().keySet()),
                functions,
                Chance.seeded(0),
                tree);
        if (compiled.program() != null) {
            views(compiled.program());
        }
        problems.addAll(compiled.problems().stream()
                // the problem's place is that of a section; the key's own place is more precise
                .map(p -> p.key().isEmpty() ? p : new ConfigProblem(tree.nearestPlace(p.key()), p.key(), p.what()))
                .toList());
    }

    /** Worker processes have an admin listener always: their supervisor's. */
    private void views(Program program) {
        if (!config.admin().enabled() && config.server().processes() == 1) {
            DumpFunctions.in(program)
                    .ifPresent(name -> report(
                            "admin.enabled",
                            "is needed by the function " + name + ", which answers with a view of the admin listener"));
        }
    }

    /** Access records must not be mixed with the server's messages. */
    private void logs() {
        String server = config.server().log().file();
        Map<String, AccessLogConfig> all = new LinkedHashMap<>();
        all.put("proxy.access-log", config.proxy().accessLog());
        config.proxy().accessLogs().forEach((name, log) -> all.put("proxy.access-logs." + name, log));
        all.forEach((key, log) -> {
            if (log.format() != AccessLogConfig.Style.OFF
                    && !server.isEmpty()
                    && log.file().equals(server)) {
                report(key + ".file", "the file is that of server.log, too: each log needs its own");
            }
        });
    }

    /** Folders of the disk tier, which other parts of the server must not share. */
    private void disks() {
        DiskConfig disk = config.cache().disk();
        Path data = Path.of(config.server().dataDir()).toAbsolutePath().normalize();
        Map<String, Path> folders = new LinkedHashMap<>();
        disk.named().forEach((name, partition) -> {
            if (wrong.contains(disk.key(name))) {
                return;
            }
            Path folder = data.resolve(partition.path()).normalize();
            String said = "\"" + partition.path() + "\" ";
            if (folder.equals(data)) {
                report(disk.key(name), said + "is the data directory" + OTHER_USE);
            } else if (data.startsWith(folder)) {
                report(disk.key(name), said + "contains the data directory" + OTHER_USE);
            } else if (folder.startsWith(data)
                    && OF_THE_SERVER.contains(data.relativize(folder).getName(0).toString())) {
                report(disk.key(name), said + "is a folder of the data directory" + OTHER_USE);
            }
            folders.forEach((other, there) -> {
                if (folder.startsWith(there) || there.startsWith(folder)) {
                    report(
                            disk.key(name),
                            said + (folder.equals(there) ? "is" : "overlaps") + " the folder of partition " + other
                                    + ": each needs its own");
                }
            });
            folders.put(name, folder);
        });
    }

    private void requireKnown(String key, String what, String name, Collection<String> known) {
        if (!known.contains(name)) {
            report(key, "there is no " + what + " \"" + name + "\"" + Nearest.known(name, known));
        }
    }

    private void report(String key, String what) {
        problems.add(new ConfigProblem(tree.nearestPlace(key), key, what));
    }
}
