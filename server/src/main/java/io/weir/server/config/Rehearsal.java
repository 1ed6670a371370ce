package io.weir.server.config;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import io.weir.base.IoReason;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.kernel.Kernel;
import io.weir.kernel.KernelParts;
import io.weir.kernel.connection.Protocol;
import io.weir.kernel.listen.BindFailure;
import io.weir.kernel.listen.ListenerConfig;
import io.weir.kernel.tls.OriginTls;
import io.weir.kernel.tls.TlsFault;
import io.weir.proxy.accesslog.AccessLogConfig;
import io.weir.server.files.DataDirectory;
import io.weir.server.files.InstanceName;
import io.weir.server.users.AdminToken;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What a start would stumble over besides the text of the configuration: files, folders and addresses of this machine. It
 * is tried by what a start does, on ports of its own, and nothing is left behind. Used once.
 */
public final class Rehearsal {
    /** What the system takes for the name of a socket. */
    private static final int MOST_NAME = 107;

    private static final Protocol SILENT = (_, _) -> {};

    private final LoadedConfig loaded;
    private final Path dataDir;
    private final Predicate<Path> isWritable;
    private final List<ConfigProblem> problems = new ArrayList<>();

    private Rehearsal(LoadedConfig loaded, Path dataDir, Predicate<Path> isWritable) {
        this.loaded = loaded;
        this.dataDir = dataDir.toAbsolutePath();
        this.isWritable = isWritable;
    }

    /** Everything of this machine that would stop a start with a usable configuration. */
    public static List<ConfigProblem> of(LoadedConfig loaded, Path dataDir) {
        return of(loaded, dataDir, Files::isWritable);
    }

    /** The same where somebody else says what may be written. */
    static List<ConfigProblem> of(LoadedConfig loaded, Path dataDir, Predicate<Path> isWritable) {
        Rehearsal rehearsal = new Rehearsal(loaded, dataDir, isWritable);
        rehearsal.folders();
        rehearsal.admin();
        rehearsal.kernel();
        rehearsal.ports();
        return rehearsal.problems;
    }

    private void report(String key, String what) {
        problems.add(new ConfigProblem(loaded.tree().nearestPlace(key), key, what));
    }

    private void folders() {
        WeirConfig config = loaded.value();
        writable("server.data-dir", dataDir);
        if (Files.isDirectory(dataDir)) {
            own();
            try (Stream<Path> all = Files.list(dataDir)) {
                all.filter(p -> Files.isDirectory(p) && !isWritable.test(p))
                        .forEach(p -> refused("server.data-dir", p));
            } catch (IOException e) {
                report("server.data-dir", "the folder " + dataDir + " cannot be read: " + IoReason.ofFile(e));
            }
        }
        parent("server.log.file", config.server().log().file());
        log("proxy.access-log", config.proxy().accessLog());
        config.proxy().accessLogs().forEach((name, log) -> log("proxy.access-logs." + name, log));
        Path link = dataDir.resolve("workers").resolve("link");
        if (config.server().processes() > 1 && link.toString().getBytes(StandardCharsets.UTF_8).length > MOST_NAME) {
            report(
                    "server.data-dir",
                    "with several processes it has a socket, and " + link + " is too long a name for one");
        }
    }

    /** What the folder is, and what an earlier start left in it. */
    private void own() {
        told(() -> DataDirectory.check(dataDir));
        if (Files.exists(dataDir.resolve(AdminToken.FILE))) {
            told(() -> AdminToken.read(dataDir));
        }
        if (Files.exists(dataDir.resolve(InstanceName.FILE))) {
            told(() -> InstanceName.read(dataDir));
        }
    }

    /** What a start reads. */
    private interface Look {
        void at() throws IOException;
    }

    private void told(Look look) {
        try {
            look.at();
        } catch (IOException e) {
            report("server.data-dir", IoReason.of(e));
        }
    }

    private void log(String key, AccessLogConfig log) {
        if (log.format() != AccessLogConfig.Style.OFF) {
            parent(key + ".file", log.file());
        }
    }

    private void parent(String key, String file) {
        if (!file.isEmpty()) {
            try {
                Path at = dataDir.resolve(file);
                if (Files.isDirectory(at)) {
                    report(key, at + " is a folder, and is to be a file");
                } else if (Files.exists(at) && !isWritable.test(at)) {
                    report(key, "the file " + at + " cannot be written");
                } else if (at.getParent() != null && (problems.isEmpty() || !at.startsWith(dataDir))) {
                    // else what is wrong with the data directory says it all
                    writable(key, at.getParent());
                }
            } catch (InvalidPathException e) {
                report(key, String.valueOf(e.getMessage()));
            }
        }
    }

    /** A folder that is there, or could be made. */
    private void writable(String key, Path folder) {
        Path at = folder;
        while (at != null && !Files.exists(at)) {
            at = at.getParent();
        }
        if (at != null && !Files.isDirectory(at)) {
            report(key, at + " is no folder" + (at.equals(folder) ? "" : ", so " + folder + " cannot be made in it"));
        } else if (at != null && !isWritable.test(at)) {
            refused(key, at);
        } else if (at != null) {
            made(key, at);
        }
    }

    /** Permissions are not all: /proc, or a disk that is mounted for reading only, lets nobody make anything. */
    private void made(String key, Path in) {
        try {
            Files.delete(Files.createTempDirectory(in, ".weir-check"));
        } catch (IOException e) {
            report(key, "nothing can be made in the folder " + in + ": " + IoReason.ofFile(e));
        }
    }

    private void refused(String key, Path folder) {
        report(key, "the folder " + folder + " cannot be written by this user");
    }

    private void admin() {
        WeirConfig config = loaded.value();
        if (!config.admin().enabled()) {
            return;
        }
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(
                    new InetSocketAddress(InetAddress.getByName(config.admin().address()), 0));
        } catch (IOException e) {
            report("admin.address", config.admin().address() + " cannot be listened on here: " + e.getMessage());
        }
    }

    /** Who may not have a port is refused by a start; one that is taken now may be free then, and gets a warning. */
    private void ports() {
        PortLooks.each(loaded.value(), (key, address, port) -> {
            if (PortLooks.look(address, port) == PortLooks.State.DENIED) {
                report(
                        key,
                        "this user may not listen on " + port + ": ports below 1024 need the privilege"
                                + " CAP_NET_BIND_SERVICE. Grant it, or use a higher port");
            }
        });
    }

    /** Opens each listener as a start does, on a free port of its address, with its certificates. */
    private void kernel() {
        WeirConfig config = loaded.value();
        Live<WeirConfig> live = new Live<>(config);
        KernelParts parts = new KernelParts(
                live.part(WeirConfig::kernel), config.workManagers(), SystemClock.INSTANCE, new Stats(), Log.NONE);
        try (Kernel kernel = new Kernel(parts.with(live.part(WeirConfig::work)))) {
            elsewhere().forEach((name, listener) -> {
                try {
                    kernel.prepare(Map.of(name, listener), _ -> SILENT).cancel();
                } catch (BindFailure e) {
                    report("listeners." + name, String.valueOf(e.getMessage()));
                }
            });
            try (OriginTls _ =
                    kernel.connecting("proxy.origin-tls", config.proxy().originTls())) {
                // its files are there, and fit
            } catch (TlsFault e) {
                report("proxy.origin-tls", String.valueOf(e.getMessage()));
            }
        }
    }

    /** The listeners, on ports that are free. */
    private Map<String, ListenerConfig> elsewhere() {
        ConfigNode.Mapping tree = loaded.tree();
        for (String name : loaded.value().listeners().keySet()) {
            String key = "listeners." + name + ".port";
            tree = tree.with(key, new ConfigNode.Scalar(tree.nearestPlace(key), "0"));
        }
        return new LinkedHashMap<>(
                ConfigLoader.bind(tree, loaded.functions(), new ArrayList<>()).listeners());
    }
}
