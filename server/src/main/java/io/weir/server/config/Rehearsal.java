package io.weir.server.config;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import io.weir.base.IoReason;
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
import io.weir.proxy.accesslog.AccessLogConfig;
import io.weir.server.files.DataDirectory;
import io.weir.server.files.InstanceName;
import io.weir.server.users.AdminToken;
import io.weir.server.users.FileRealm;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a start would stumble over besides the text of the configuration: files, folders and addresses of this machine.
 * It is tried by what a start does, on ports of its own, and nothing is left behind. Where something of the text is
 * wrong, the rest is tried nevertheless. Used once.
 */
public final class Rehearsal {
    /** What the system takes for the name of a socket. */
    private static final int MOST_NAME = 107;

    /** Bytes that a start writes at least. */
    private static final int ROOM = 64 << 10;

    private static final String ORIGIN_TLS = "proxy.origin-tls";

    private static final Protocol SILENT = (_, _) -> {};

    private final LoadedConfig loaded;
    private final Path dataDir;
    private final Predicate<Path> isWritable;
    private final List<ConfigProblem> problems = new ArrayList<>();
    private final List<ConfigProblem> warnings = new ArrayList<>();

    private Rehearsal(LoadedConfig loaded, Path dataDir, Predicate<Path> isWritable) {
        this.loaded = loaded;
        this.dataDir = dataDir.toAbsolutePath();
        this.isWritable = isWritable;
    }

    /** Everything of this machine that a start with the configuration would meet, as far as its text can be used. */
    public static Rehearsal of(LoadedConfig loaded, Path dataDir) {
        return of(loaded, dataDir, Files::isWritable);
    }

    /** The same where somebody else says what may be written. */
    static Rehearsal of(LoadedConfig loaded, Path dataDir, Predicate<Path> isWritable) {
        Rehearsal rehearsal = new Rehearsal(loaded, dataDir, isWritable);
        if (!loaded.tree().entries().isEmpty()) {
            rehearsal.folders();
            rehearsal.admin();
            rehearsal.kernel();
            rehearsal.cluster();
            rehearsal.ports();
        }
        return rehearsal;
    }

    /** What would stop a start. */
    public List<ConfigProblem> problems() {
        return List.copyOf(problems);
    }

    /** What a server would run with, and not as it is meant. */
    public List<ConfigProblem> warnings() {
        return List.copyOf(warnings);
    }

    /** Whether the text says nothing wrong of a section, so that its values are those of the file. */
    private boolean isClean(String section) {
        return loaded.problems().stream()
                .map(ConfigProblem::key)
                .noneMatch(
                        key -> key.equals(section) || key.startsWith(section + ".") || key.startsWith(section + "["));
    }

    private void report(String key, String what) {
        problems.add(new ConfigProblem(loaded.tree().nearestPlace(key), key, what));
    }

    private void warn(String key, String what) {
        warnings.add(new ConfigProblem(loaded.tree().nearestPlace(key), key, what));
    }

    private void folders() {
        if (isClean("server.data-dir")) {
            dataDirectory();
        }
        WeirConfig config = loaded.value();
        parent("server.log.file", config.server().log().file());
        log("proxy.access-log", config.proxy().accessLog());
        config.proxy().accessLogs().forEach((name, log) -> log("proxy.access-logs." + name, log));
    }

    private void dataDirectory() {
        String why = notWritable(dataDir);
        if (why != null) {
            report("server.data-dir", why);
        }
        if (Files.isDirectory(dataDir)) {
            own();
            kinds();
            try (Stream<Path> all = Files.list(dataDir)) {
                all.filter(p -> Files.isDirectory(p) && !isWritable.test(p))
                        .forEach(p -> report("server.data-dir", refused(p)));
            } catch (IOException e) {
                report("server.data-dir", "the folder " + dataDir + " cannot be read: " + IoReason.ofFile(e));
            }
        }
        Path link = dataDir.resolve("workers").resolve("link");
        if (loaded.value().server().processes() > 1
                && link.toString().getBytes(StandardCharsets.UTF_8).length > MOST_NAME) {
            report(
                    "server.data-dir",
                    "with several processes it has a socket, and " + link + " is too long a name for one");
        }
    }

    /** What the folder is, and what an earlier start left in it. */
    private void own() {
        reporting(() -> DataDirectory.check(dataDir));
        if (Files.exists(dataDir.resolve(AdminToken.FILE))) {
            reporting(() -> AdminToken.read(dataDir));
        }
        if (Files.exists(dataDir.resolve(InstanceName.FILE))) {
            reporting(() -> InstanceName.read(dataDir));
        }
    }

    /** What is to be a folder, and what a file. */
    private void kinds() {
        for (String folder : List.of("messaging", "cluster", "statistics", "history", "workers")) {
            Path at = dataDir.resolve(folder);
            if (Files.exists(at) && !Files.isDirectory(at)) {
                report("server.data-dir", at + " is a file, and is to be a folder: move it away");
            }
        }
        for (String file : List.of("weir.lock", DataDirectory.PID_FILE, Overrides.FILE, FileRealm.FILE)) {
            Path at = dataDir.resolve(file);
            if (Files.isDirectory(at)) {
                report("server.data-dir", at + " is a folder, and is to be a file: move it away");
            }
        }
    }

    /** What a start reads. */
    private interface Look {
        void at() throws IOException;
    }

    private void reporting(Look look) {
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

    /** A log that cannot be written stops no start: its records are lost, and counted. */
    private void parent(String key, String file) {
        if (file.isEmpty() || !isClean(key)) {
            return;
        }
        try {
            Path at = dataDir.resolve(file);
            if (Files.isDirectory(at)) {
                unwritten(key, at + " is a folder, and is to be a file");
            } else if (Files.exists(at) && !isWritable.test(at)) {
                unwritten(key, "the file " + at + " cannot be written");
            } else if (at.getParent() != null && (problems.isEmpty() || !at.startsWith(dataDir))) {
                // else what is wrong with the data directory says it all
                String why = notWritable(at.getParent());
                if (why != null) {
                    unwritten(key, why);
                }
            }
        } catch (InvalidPathException e) {
            report(key, String.valueOf(e.getMessage()));
        }
    }

    private void unwritten(String key, String why) {
        warn(key, why + ". A server would run, and nothing would be written there");
    }

    /** Why a folder is not there and cannot be made, or nothing can be made in it; null: all is well. */
    private @Nullable String notWritable(Path folder) {
        Path at = folder;
        while (at != null && !Files.exists(at)) {
            at = at.getParent();
        }
        if (at == null) {
            return null;
        }
        if (!Files.isDirectory(at)) {
            return at + " is no folder" + (at.equals(folder) ? "" : ", so " + folder + " cannot be made in it");
        }
        return isWritable.test(at) ? notMade(at) : refused(at);
    }

    /** Permissions are not enough: in /proc, or on a read-only mount, nothing can be created. */
    private static @Nullable String notMade(Path in) {
        try {
            Path folder = Files.createTempDirectory(in, ".weir-check");
            Path file = folder.resolve("room");
            try {
                // an empty one is made on a full disk, too
                Files.write(file, new byte[ROOM]);
            } finally {
                Files.deleteIfExists(file);
                Files.delete(folder);
            }
            return null;
        } catch (IOException e) {
            String why = e instanceof NoSuchFileException ? "the system does not let anybody" : IoReason.ofFile(e);
            return "nothing can be made in the folder " + in + ": " + why;
        }
    }

    private static String refused(Path folder) {
        return "the folder " + folder + " cannot be written by this user";
    }

    private void admin() {
        WeirConfig config = loaded.value();
        if (!config.admin().enabled() || !isClean("admin.address")) {
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
            String section = key.substring(0, key.lastIndexOf('.'));
            if (isClean(key)
                    && isClean(section + ".address")
                    && PortLooks.look(address, port) == PortLooks.State.DENIED) {
                report(
                        key,
                        "this user may not listen on " + port + ": ports below 1024 need the privilege"
                                + " CAP_NET_BIND_SERVICE. Grant it, or use a higher port");
            }
        });
    }

    /** Opens each listener as a start does, on a free port of its address, with its certificates. */
    private void kernel() {
        ConfigNode.Mapping tree =
                isClean("kernel") ? loaded.tree() : loaded.tree().without("kernel");
        for (Map.Entry<String, ListenerConfig> l : loaded.value().listeners().entrySet()) {
            tree = elsewhere(tree, l.getKey(), l.getValue().tls());
        }
        OriginTlsConfig origins = loaded.value().proxy().originTls();
        boolean sound = say(ORIGIN_TLS, TlsCheck.of(origins, now())) && isClean(ORIGIN_TLS);
        WeirConfig elsewhere = ConfigLoader.bind(tree, loaded.functions(), new ArrayList<>());
        try (Kernel kernel = kernel(elsewhere)) {
            elsewhere.listeners().forEach((name, l) -> listen(kernel, name, l));
            if (sound) {
                connect(kernel, origins);
            }
        }
    }

    /** On a free port; without what of its TLS is wrong already, for its address is tried all the same. */
    private ConfigNode.Mapping elsewhere(ConfigNode.Mapping tree, String name, TlsConfig tls) {
        String section = "listeners." + name;
        boolean sound = !tls.enabled() || say(section + ".tls", TlsCheck.of(tls, now()));
        String port = section + ".port";
        ConfigNode.Mapping moved = tree.with(port, new ConfigNode.Scalar(tree.nearestPlace(port), "0"));
        return sound && isClean(section + ".tls") ? moved : moved.without(section + ".tls");
    }

    private void listen(Kernel kernel, String name, ListenerConfig listener) {
        String section = "listeners." + name;
        if (isClean(section + ".address")) {
            try {
                kernel.prepare(Map.of(name, listener), _ -> SILENT).cancel();
            } catch (BindFailure e) {
                report(section, String.valueOf(e.getMessage()));
            }
        }
    }

    private void connect(Kernel kernel, OriginTlsConfig origins) {
        try (OriginTls _ = kernel.connecting(ORIGIN_TLS, origins)) {
            // its files are there, and fit
        } catch (TlsFault e) {
            report(ORIGIN_TLS, String.valueOf(e.getMessage()));
        }
    }

    /** Members that cannot use their files would wait for each other, each of them running. */
    private void cluster() {
        ClusterTlsConfig tls = loaded.value().cluster().tls();
        CertificateFiles own = new CertificateFiles(tls.chainFile(), tls.keyFile(), null, null);
        if (tls.enabled()) {
            say("cluster.tls", TlsCheck.of(own, tls.trustFile(), now()));
        }
    }

    /** Without work managers if their configuration is wrong: sockets need none. */
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
                .filter(f -> isClean(section + "." + f.key()))
                .forEach(f -> report(section + "." + f.key(), f.what()));
        check.doubts().forEach(d -> warn(section + "." + d.key(), d.what()));
        return check.faults().isEmpty();
    }

    private static long now() {
        return SystemClock.INSTANCE.millis();
    }
}
