package io.weir.lab.cluster;

import io.weir.base.SystemClock;
import io.weir.lab.cluster.service.Counting;
import io.weir.lab.process.Servers;
import io.weir.lab.scenario.ProcessLauncher;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Three servers that are one cluster, with a singleton that counts. Confined to the test's thread. */
final class Fleet implements AutoCloseable {
    static final List<String> NAMES = List.of("alpha", "beta", "gamma");

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Site site;
    private final Path folder;
    private final Path jar;
    private final Store store;
    private final String more;
    private final Map<String, Integer> wirePorts = new LinkedHashMap<>();
    private final Map<String, ProcessLauncher.Running> servers = new LinkedHashMap<>();
    private String listener = "";
    private final Map<String, String> jvmOptions = new LinkedHashMap<>();
    private final HttpClient http = HttpClient.newHttpClient();

    /** On loopback. */
    Fleet(Path folder, Store store, String more) throws IOException {
        this(folder, store, more, Site.LOOPBACK);
    }

    /** @param more lines of the section cluster, indented by two */
    Fleet(Path folder, Store store, String more, Site site) throws IOException {
        this.site = site;
        this.folder = folder;
        this.store = store;
        this.more = more;
        this.jar = jar(folder.resolve("classes"));
        List<Integer> ports = site.ports();
        for (int i = 0; i < ports.size(); i++) {
            wirePorts.put(NAMES.get(i), ports.get(i));
        }
    }

    /** The service's class in a jar, alone in a folder. */
    private static Path jar(Path into) throws IOException {
        Files.createDirectories(into);
        String entry = Counting.class.getName().replace('.', '/') + ".class";
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(into.resolve("counting.jar")));
                InputStream in =
                        Objects.requireNonNull(Counting.class.getClassLoader().getResourceAsStream(entry))) {
            out.putNextEntry(new JarEntry(entry));
            in.transferTo(out);
            out.closeEntry();
        }
        return into;
    }

    /** The listeners speak TLS, and so does the members' log: its settings are lines of the section cluster. */
    static String tls(Map<String, String> files) {
        return "  tls: {chain-file: %1$s, key-file: %2$s, trust-file: %1$s}\n"
                .formatted(files.get("certificate"), files.get("key"));
    }

    /** More settings of the listeners, such as certificates. */
    void listener(String settings) {
        listener = ", " + settings;
    }

    /** More options for one server's JVM. */
    void jvmOption(String name, String option) {
        jvmOptions.put(name, option);
    }

    /** Starts all at once. */
    void startAll() throws Exception {
        try (ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
            Map<String, Future<ProcessLauncher.Running>> starting = new LinkedHashMap<>();
            for (String name : NAMES) {
                starting.put(name, each.submit((Callable<ProcessLauncher.Running>) () -> launch(name)));
            }
            for (Map.Entry<String, Future<ProcessLauncher.Running>> s : starting.entrySet()) {
                servers.put(s.getKey(), s.getValue().get());
            }
        }
    }

    void start(String name) throws Exception {
        servers.put(name, launch(name));
    }

    private ProcessLauncher.Running launch(String name) throws Exception {
        Path config = Files.writeString(folder.resolve(name + ".yaml"), """
                listeners:
                  wire: {protocol: weir, address: %s, port: %d%s}
                admin: {port: 0}
                cluster:
                  member: %s
                  members: [%s]
                  lib-dir: %s
                %ssingletons:
                  counting:
                    class-name: %s
                    properties: {host: %s, port: "%d"}
                """.formatted(
                        site.host(name),
                        wirePorts.get(name),
                        listener,
                        name,
                        String.join(", ", addresses(name)),
                        jar,
                        more,
                        Counting.class.getName(),
                        site.storeHost(),
                        store.port()));
        return Servers.launcher()
                .withJvmOptions("-Dweir.test.member=" + name, jvmOptions.getOrDefault(name, "-Dweir.test=1"))
                .withPrefix(site.prefix(name))
                .start(config, data(name), List.of());
    }

    /** What a member's configuration says of all: the first three, and itself. */
    private List<String> addresses(String name) {
        return Stream.concat(NAMES.stream(), Stream.of(name))
                .distinct()
                .map(n -> "\"" + address(n) + "\"")
                .toList();
    }

    /** Of a member's weir listener. */
    String address(String name) {
        return site.host(name) + ":" + wirePorts.get(name);
    }

    /** One more that may be started; the others do not know of it. */
    void extra(String name) throws IOException {
        wirePorts.put(name, site.ports().getFirst());
    }

    Path data(String name) {
        return folder.resolve("data-" + name);
    }

    ProcessLauncher.Running server(String name) {
        return Objects.requireNonNull(servers.get(name));
    }

    /** Deletes what a member, which does not run, knows of its cluster. */
    void wipe(String name) throws IOException {
        try (Stream<Path> files = Files.walk(data(name).resolve("cluster"))) {
            for (Path f : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(f);
            }
        }
    }

    /** Sends a signal by its name. */
    void signal(String name, String signal) throws Exception {
        Process kill = new ProcessBuilder(
                        "kill", "-" + signal, String.valueOf(server(name).pid()))
                .start();
        if (kill.waitFor() != 0) {
            throw new AssertionError("no signal " + signal + " to " + name);
        }
    }

    /** What the admin listener says. */
    String get(String name, String path) throws Exception {
        return http.send(HttpRequest.newBuilder(uri(name, path)).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    String post(String name, String path) throws Exception {
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(uri(name, path))
                        .header(
                                "Authorization",
                                "Bearer "
                                        + Files.readString(data(name).resolve("admin.token"))
                                                .strip())
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() / 100 != 2) {
            throw new AssertionError(path + ": " + answer.statusCode() + " " + answer.body());
        }
        return answer.body();
    }

    private URI uri(String name, String path) {
        return URI.create("http://127.0.0.1:" + server(name).port("admin") + path);
    }

    /** One field of /cluster. */
    String fact(String name, String field) throws Exception {
        Matcher m = Pattern.compile("\"" + field + "\"\\s*:\\s*\"?([^\",}]*)").matcher(get(name, "/cluster"));
        return m.find() ? m.group(1) : "";
    }

    /** A number that each start of a member has anew, as another member sees it; empty while it is not live. */
    String incarnation(String name, String seenBy) throws Exception {
        Matcher m = Pattern.compile("\\{[^}]*\"member\"\\s*:\\s*\"" + name + "\"[^}]*\\}")
                .matcher(get(seenBy, "/cluster/members"));
        if (!m.find() || !m.group().contains("\"live\"")) {
            return "";
        }
        Matcher number =
                Pattern.compile("\"incarnation\"\\s*:\\s*\"?([^\",}]+)").matcher(m.group());
        return number.find() ? number.group(1) : "";
    }

    /** Starts a member again and waits until another sees it live again, and it keeps the log. */
    void restart(String name) throws Exception {
        String other = NAMES.stream().filter(n -> !n.equals(name)).findFirst().orElseThrow();
        String before = incarnation(name, other);
        start(name);
        await(name + " is live again", () -> {
            String now = incarnation(name, other);
            return !now.isEmpty()
                    && !now.equals(before)
                    && fact(name, "waiting").isEmpty();
        });
        await(name + " sees it", () -> incarnation(name, name).equals(incarnation(name, other)));
    }

    /** Something that becomes true. */
    interface Condition {
        boolean holds() throws Exception;
    }

    void await(String what, Condition condition) throws Exception {
        long begun = SystemClock.INSTANCE.nanos();
        while (!condition.holds()) {
            if (SystemClock.INSTANCE.nanos() - begun > PATIENCE_NANOS) {
                throw new AssertionError("awaited in vain: " + what + "\n" + logs());
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    /** What all servers printed. */
    String logs() {
        StringBuilder text = new StringBuilder();
        servers.forEach((name, server) -> {
            text.append("== ").append(name).append('\n');
            server.log().forEach(l -> text.append(l).append('\n'));
        });
        return text.toString();
    }

    @Override
    public void close() {
        servers.values().forEach(ProcessLauncher.Running::close);
    }
}
