package io.weir.server.config;

import io.weir.base.ConfigNode;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.cluster.config.ClusterTlsConfig;
import io.weir.kernel.Kernel;
import io.weir.kernel.KernelParts;
import io.weir.kernel.connection.Protocol;
import io.weir.kernel.listen.BindFailure;
import io.weir.kernel.listen.ListenerConfig;
import io.weir.kernel.tls.CertificateFiles;
import io.weir.kernel.tls.OriginTls;
import io.weir.kernel.tls.OriginTlsConfig;
import io.weir.kernel.tls.TlsCheck;
import io.weir.kernel.tls.TlsConfig;
import io.weir.kernel.tls.TlsFault;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Map;

/**
 * Tries to open the listeners of a start, on free ports, with the certificates of listeners, origins and the cluster.
 * Used once.
 */
final class ListenerRehearsal {
    private static final String ORIGIN_TLS = "proxy.origin-tls";

    private static final Protocol SILENT = (_, _) -> {};

    private final RehearsalReport found;
    private final LoadedConfig loaded;

    ListenerRehearsal(RehearsalReport found, LoadedConfig loaded) {
        this.found = found;
        this.loaded = loaded;
    }

    /** Tries all of them. */
    void tryAll() {
        admin();
        kernel();
        cluster();
        ports();
    }

    private void admin() {
        WeirConfig config = loaded.value();
        if (!config.admin().enabled() || !found.isClean("admin.address")) {
            return;
        }
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(
                    new InetSocketAddress(InetAddress.getByName(config.admin().address()), 0));
        } catch (IOException e) {
            found.report("admin.address", config.admin().address() + " cannot be listened on here: " + e.getMessage());
        }
    }

    /**
     * A port that this user may not bind would prevent a start; one that is in use now may be free then, so it gets a
     * warning.
     */
    private void ports() {
        PortLooks.each(loaded.value(), (key, address, port) -> {
            String section = key.substring(0, key.lastIndexOf('.'));
            if (found.isClean(key)
                    && found.isClean(section + ".address")
                    && PortLooks.look(address, port) == PortLooks.State.DENIED) {
                found.report(
                        key,
                        "this user may not listen on " + port + ": ports below 1024 need the privilege"
                                + " CAP_NET_BIND_SERVICE. Grant it, or use a higher port");
            }
        });
    }

    /** Opens each listener as a start does, on a free port of its address, with its certificates. */
    private void kernel() {
        ConfigNode.Mapping tree =
                found.isClean("kernel") ? loaded.tree() : loaded.tree().without("kernel");
        for (Map.Entry<String, ListenerConfig> l : loaded.value().listeners().entrySet()) {
            tree = elsewhere(tree, l.getKey(), l.getValue().tls());
        }
        OriginTlsConfig origins = loaded.value().proxy().originTls();
        boolean sound = say(ORIGIN_TLS, TlsCheck.of(origins, now())) && found.isClean(ORIGIN_TLS);
        WeirConfig elsewhere = ConfigLoader.bind(tree, loaded.functions(), new ArrayList<>());
        try (Kernel kernel = kernel(elsewhere)) {
            elsewhere.listeners().forEach((name, l) -> listen(kernel, name, l));
            if (sound) {
                connect(kernel, origins);
            }
        }
    }

    /**
     * The listener on a free port; without the TLS settings that are known to be wrong, so that its address is still
     * tried.
     */
    private ConfigNode.Mapping elsewhere(ConfigNode.Mapping tree, String name, TlsConfig tls) {
        String section = "listeners." + name;
        boolean sound = !tls.enabled() || say(section + ".tls", TlsCheck.of(tls, now()));
        String port = section + ".port";
        ConfigNode.Mapping moved = tree.with(port, new ConfigNode.Scalar(tree.nearestPlace(port), "0"));
        return sound && found.isClean(section + ".tls") ? moved : moved.without(section + ".tls");
    }

    private void listen(Kernel kernel, String name, ListenerConfig listener) {
        String section = "listeners." + name;
        if (found.isClean(section + ".address")) {
            try {
                kernel.prepare(Map.of(name, listener), _ -> SILENT).cancel();
            } catch (BindFailure e) {
                found.report(section, String.valueOf(e.getMessage()));
            }
        }
    }

    private void connect(Kernel kernel, OriginTlsConfig origins) {
        try (OriginTls _ = kernel.connecting(ORIGIN_TLS, origins)) {
            // its files exist and match
        } catch (TlsFault e) {
            found.report(ORIGIN_TLS, String.valueOf(e.getMessage()));
        }
    }

    /** Members that cannot use their files would all run and wait for each other. */
    private void cluster() {
        ClusterTlsConfig tls = loaded.value().cluster().tls();
        CertificateFiles own = new CertificateFiles(tls.chainFile(), tls.keyFile(), null, null);
        if (tls.enabled()) {
            say("cluster.tls", TlsCheck.of(own, tls.trustFile(), now()));
        }
    }

    /** A kernel without work managers if their configuration is wrong, because sockets need none. */
    private Kernel kernel(WeirConfig config) {
        Live<WeirConfig> live = new Live<>(config);
        boolean usable = loaded.usable();
        KernelParts parts = new KernelParts(
                live.part(WeirConfig::kernel),
                usable ? config.workManagers() : Map.of(),
                SystemClock.INSTANCE,
                new Stats(),
                Log.NONE);
        return new Kernel(usable ? parts.with(live.part(WeirConfig::work)) : parts);
    }

    private boolean say(String section, TlsCheck check) {
        check.faults().stream()
                .filter(f -> found.isClean(section + "." + f.key()))
                .forEach(f -> found.report(section + "." + f.key(), f.what()));
        check.doubts().forEach(d -> found.warn(section + "." + d.key(), d.what()));
        return check.faults().isEmpty();
    }

    private static long now() {
        return SystemClock.INSTANCE.millis();
    }
}
