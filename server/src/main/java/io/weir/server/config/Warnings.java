package io.weir.server.config;

import io.weir.base.Chance;
import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import io.weir.base.IoReason;
import io.weir.base.KeyPath;
import io.weir.base.Nearest;
import io.weir.broker.config.DestinationConfig;
import io.weir.broker.config.MessagingConfig;
import io.weir.kernel.Kernel;
import io.weir.kernel.listen.ListenerConfig;
import io.weir.kernel.listen.ListenerProtocol;
import io.weir.kernel.listen.PlainHttp2;
import io.weir.proxy.program.Programs;
import io.weir.proxy.program.functions.FunctionCatalogue;
import io.weir.proxy.program.run.Program;
import io.weir.server.files.DataDirectory;
import io.weir.server.users.FileRealm;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Warns of settings with which a server runs, but which cannot take effect. Used once. */
public final class Warnings {
    private final WeirConfig config;
    private final ConfigNode.Mapping tree;
    private final List<ConfigProblem> found = new ArrayList<>();

    private Warnings(WeirConfig config, ConfigNode.Mapping tree) {
        this.config = config;
        this.tree = tree;
    }

    /**
     * Everything of a usable configuration that an operator should look at.
     *
     * @param dataDir where it would run
     */
    public static List<ConfigProblem> of(LoadedConfig loaded, Path dataDir) {
        Warnings warnings = new Warnings(loaded.value(), loaded.tree());
        warnings.config.listeners().forEach(warnings::http2);
        warnings.config.listeners().forEach(warnings::plain);
        warnings.errorDestinations();
        warnings.bind();
        warnings.ports(dataDir);
        warnings.found.addAll(DoubtfulValues.of(loaded.value(), loaded.tree(), warnings.users(dataDir)));
        warnings.found.addAll(CacheWarnings.of(loaded.value(), loaded.tree()));
        warnings.unreachable();
        warnings.program(loaded.functions());
        warnings.covered(loaded);
        return warnings.found;
    }

    /** Errors of the file that are hidden by an override, without which no server would start. */
    private void covered(LoadedConfig loaded) {
        if (!loaded.overrides().entries().isEmpty()) {
            List<ConfigProblem> wrong = new ArrayList<>();
            ConfigLoader.bind(loaded.base(), loaded.functions(), wrong);
            wrong.stream()
                    .filter(p -> loaded.overrides().find(p.key()) != null)
                    .forEach(
                            p -> found.add(
                                    new ConfigProblem(
                                            p.at(),
                                            p.key(),
                                            p.what()
                                                    + ". A persisted change overrides it now; without that the server would not start")));
        }
    }

    private void unreachable() {
        Map<String, String> listeners = new LinkedHashMap<>();
        config.listeners().forEach((name, l) -> {
            if (l.protocol() == ListenerProtocol.HTTP) {
                listeners.put(name, l.virtualServer());
            }
        });
        found.addAll(Programs.unreachable(config.proxy(), config.virtualServers(), listeners, tree));
    }

    /** What the program's author should look at. */
    private void program(FunctionCatalogue functions) {
        Set<String> pools = new TreeSet<>(config.workManagers().keySet());
        pools.add(Kernel.DEFAULT);
        PoolNames names = new PoolNames(pools, config.requestClasses().keySet());
        Program program = Programs.compile(
                        config.proxy(), config.virtualServers(), names, functions, Chance.seeded(0), tree)
                .program();
        if (program != null) {
            found.addAll(program.notes());
        }
    }

    /** The setting applies without TLS only; with TLS, ALPN decides. */
    private void http2(String name, ListenerConfig l) {
        List<String> alpn = l.tls().alpn();
        boolean met = switch (l.http2()) {
            case ALLOWED -> true;
            case REFUSED -> !alpn.contains("h2");
            case ONLY -> alpn.equals(List.of("h2"));
        };
        if (l.secure() && l.protocol() == ListenerProtocol.HTTP && !met) {
            report(
                    "listeners." + name + ".http2",
                    "applies only without TLS: the protocols here are those that tls.alpn offers, " + alpn
                            + ". Give alpn " + (l.http2() == PlainHttp2.ONLY ? "[h2]" : "[http/1.1]") + " instead");
        }
    }

    /** A section tls without certificates is ineffective, which is hardly intended. */
    private void plain(String name, ListenerConfig l) {
        String key = "listeners." + name + ".tls";
        if (!l.secure()
                && tree.find(key) instanceof ConfigNode.Mapping given
                && !given.entries().isEmpty()) {
            report(
                    key,
                    "has no certificates, so this listener runs WITHOUT TLS. Give certificates: [{chain-file: ...,"
                            + " key-file: ...}], or remove the section");
        }
    }

    private void errorDestinations() {
        MessagingConfig m = config.messaging();
        Set<String> known = new TreeSet<>();
        m.queues().keySet().forEach(name -> known.add("queue/" + name));
        m.topics().keySet().forEach(name -> known.add("topic/" + name));
        m.queues().forEach((name, d) -> errorDestination(KeyPath.join("messaging.queues", name), d, known));
        m.topics().forEach((name, d) -> errorDestination(KeyPath.join("messaging.topics", name), d, known));
    }

    private void errorDestination(String section, DestinationConfig d, Set<String> known) {
        String to = d.deliveryFailure().errorDestination();
        if (!to.isEmpty() && !known.contains(to)) {
            String nearest = Nearest.of(to, known);
            report(
                    section + ".delivery-failure.error-destination",
                    "there is no destination \"" + to + "\" here"
                            + (nearest == null ? "" : "; did you mean \"" + nearest + "\"?")
                            + ": until it exists, messages for it are discarded");
        }
    }

    /** The address may be added later, as one does that moves between machines. */
    private void bind() {
        String address = config.proxy().originPool().bind();
        if (address == null || address.isEmpty()) {
            return;
        }
        try (Socket probe = new Socket()) {
            probe.bind(new InetSocketAddress(InetAddress.getByName(address), 0));
        } catch (IOException e) {
            report(
                    "proxy.origin-pool.bind",
                    "this machine has no such address now: origins cannot be connected to from " + address
                            + " until it has");
        }
    }

    /** Ports of the server that runs there do not conflict. */
    private void ports(Path dataDir) {
        try {
            if (DataDirectory.held(dataDir)) {
                return;
            }
        } catch (IOException e) {
            // errors of the folder do not concern ports
        }
        PortLooks.each(config, (key, address, port) -> {
            if (PortLooks.look(address, port) == PortLooks.State.TAKEN) {
                report(key, "another process listens on " + port + " now: a start would be refused until it stops");
            }
        });
    }

    /** The server starts without a readable file of users; then no login succeeds. */
    private @Nullable Collection<FileRealm.User> users(Path dataDir) {
        try {
            return new FileRealm(dataDir).users();
        } catch (IOException e) {
            report(
                    "server.data-dir",
                    "no user can log in until the file of users is repaired: " + IoReason.of(e)
                            + ". Write the line again with ./weir passwd NAME");
            return null;
        }
    }

    private void report(String key, String what) {
        found.add(new ConfigProblem(tree.nearestPlace(key), key, what));
    }
}
