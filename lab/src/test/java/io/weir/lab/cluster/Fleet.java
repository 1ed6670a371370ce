package io.weir.lab.cluster;

import io.weir.lab.cluster.service.Counting;
import io.weir.lab.cluster.service.PlacedFromArchive;
import io.weir.lab.process.Await;
import io.weir.lab.process.Servers;
import io.weir.lab.process.Signals;
import io.weir.lab.scenario.ProcessLauncher;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Servers that are one cluster, three unless said, with the singletons of {@code service}. Confined to the test's thread. */
final class Fleet implements AutoCloseable {
    static final List<String> NAMES = List.of("alpha", "beta", "gamma");

    private static final Duration LOOK = Duration.ofMillis(50);

    private final Site site;
    private final Path folder;
    private final Path jar;
    private final String cluster;
    private final String sections;
    private List<String> names = NAMES;
    private boolean listed = true;
    private final Map<String, Integer> wirePorts = new LinkedHashMap<>();
    private final Map<String, ProcessLauncher.Running> servers = new LinkedHashMap<>();
    private final List<ProcessLauncher.Running> former = new ArrayList<>();
    private final Map<String, String> folders = new LinkedHashMap<>();
    private final Map<String, String> own = new LinkedHashMap<>();
    private final Map<String, String> ownSections = new LinkedHashMap<>();
    private String listener = "";
    private String web = "";
    private final Map<String, String> jvmOptions = new LinkedHashMap<>();
    private final Map<String, URI> admin = new ConcurrentHashMap<>();
    private final HttpClient http = HttpClient.newHttpClient();

    /** On loopback, with the singleton that counts. */
    Fleet(Path folder, Store store, String cluster) throws IOException {
        this(folder, store, cluster, Site.LOOPBACK);
    }

    Fleet(Path folder, Store store, String cluster, Site site) throws IOException {
        this(folder, cluster, counting(site.storeHost(), store.port()), site);
    }

    /** On loopback, with other singletons. */
    Fleet(Path folder, String cluster, String sections) throws IOException {
        this(folder, cluster, sections, Site.LOOPBACK);
    }

    /**
     * @param cluster lines of the section cluster, indented by two
     * @param sections further sections
     */
    Fleet(Path folder, String cluster, String sections, Site site) throws IOException {
        this.site = site;
        this.folder = folder;
        this.cluster = cluster;
        this.sections = sections;
        this.jar = jar(folder.resolve("classes"));
        List<Integer> ports = site.ports();
        for (int i = 0; i < ports.size(); i++) {
            wirePorts.put(NAMES.get(i), ports.get(i));
        }
    }

    /** The section of the singleton that counts in a store. */
    static String counting(String host, int port) {
        return """
                singletons:
                  counting:
                    class-name: %s
                    properties: {host: %s, port: "%d"}
                """.formatted(Counting.class.getName(), host, port);
    }

    /** The services' classes in a jar, alone in a folder; not those that come with an archive. */
    private static Path jar(Path into) throws IOException {
        Files.createDirectories(into);
        String place = Counting.class.getPackageName().replace('.', '/') + "/";
        URL one = Objects.requireNonNull(Counting.class.getResource("Counting.class"));
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(into.resolve("services.jar")));
                Stream<Path> classes =
                        Files.list(Path.of(URI.create(one.toString()).getPath()).getParent())) {
            for (Path c : classes.toList()) {
                String file = c.getFileName().toString();
                if (!file.startsWith(PlacedFromArchive.class.getSimpleName())) {
                    out.putNextEntry(new JarEntry(place + file));
                    Files.copy(c, out);
                    out.closeEntry();
                }
            }
        }
        return into;
    }

    /** Members' names; the first of them are in everybody's list of members. */
    Fleet named(String... members) {
        names = List.of(members);
        return this;
    }

    /** No list of members in the files: they meet in a database. */
    Fleet unlisted() {
        listed = false;
        return this;
    }

    /** More lines of one member's section cluster. */
    Fleet own(String name, String lines) {
        own.put(name, lines);
        return this;
    }

    /** More sections of one member's configuration. */
    Fleet ownSections(String name, String lines) {
        ownSections.put(name, lines);
        return this;
    }

    List<String> names() {
        return names;
    }

    /** Any other than these. */
    String other(String... than) {
        return names.stream()
                .filter(n -> !List.of(than).contains(n))
                .findFirst()
                .orElseThrow();
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

    /** All have a listener for http, whose name is web. */
    Fleet web() {
        web = "  web: {address: 127.0.0.1, port: 0}\n";
        return this;
    }

    /** All have a listener for the caches of the others. */
    Fleet caches() {
        web += "  caches: {protocol: cache, address: 127.0.0.1, port: 0}\n";
        return this;
    }

    /** More options for one server's JVM. */
    void jvmOption(String name, String option) {
        jvmOptions.put(name, option);
    }

    /** Starts all at once. */
    void startAll() throws Exception {
        try (ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
            Map<String, Future<ProcessLauncher.Running>> starting = new LinkedHashMap<>();
            for (String name : names) {
                starting.put(name, each.submit((Callable<ProcessLauncher.Running>) () -> launch(name)));
            }
            for (Map.Entry<String, Future<ProcessLauncher.Running>> s : starting.entrySet()) {
                up(s.getKey(), s.getValue().get());
            }
        }
    }

    void start(String name) throws Exception {
        up(name, launch(name));
    }

    private void up(String name, ProcessLauncher.Running server) {
        servers.put(name, server);
        admin.put(name, URI.create("http://" + site.adminHost(name) + ":" + server.port("admin")));
    }

    private ProcessLauncher.Running launch(String name) throws Exception {
        Path config = Files.writeString(folder.resolve(name + ".yaml"), """
                listeners:
                  wire: {protocol: weir, address: %s, port: %d%s}
                %sadmin: {address: %s, port: 0}
                cluster:
                  member: %s
                  lib-dir: %s
                %s%s%s%s%s""".formatted(
                        site.host(name),
                        wirePorts.get(name),
                        listener,
                        web,
                        site.adminHost(name),
                        name,
                        jar,
                        listed ? "  members: [" + String.join(", ", addresses(name)) + "]\n" : "",
                        cluster,
                        own.getOrDefault(name, ""),
                        sections,
                        ownSections.getOrDefault(name, "")));
        return Servers.launcher()
                .withJvmOptions("-Dweir.test.member=" + name, jvmOptions.getOrDefault(name, "-Dweir.test=1"))
                .withJvmOptions("-Dweir.test.notes=" + folder)
                .withPrefix(site.prefix(name))
                .start(config, data(name), List.of());
    }

    /** What a member's configuration says of all: those of the beginning, and itself. */
    private List<String> addresses(String name) {
        return Stream.concat(names.stream(), Stream.of(name))
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

    /**
     * The next start of this name is on another machine: with an empty disk, at another address.
     *
     * @return the one that runs now, which goes on
     */
    ProcessLauncher.Running moves(String name) throws IOException {
        ProcessLauncher.Running before = server(name);
        former.add(before);
        folders.put(name, name + "-" + former.size());
        extra(name);
        return before;
    }

    Path data(String name) {
        return folder.resolve("data-" + folders.getOrDefault(name, name));
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
        signal(name, server(name).pid(), signal);
    }

    /** The same for one of the processes of a server. */
    void signal(String name, long pid, String signal) throws Exception {
        Signals.send(signal, pid);
    }

    /** The process with a number of a server of several, while it is ready; 0 while none is. */
    long worker(String name, int number) throws IOException {
        return Files.readAllLines(data(name).resolve("weir.pid")).stream()
                .filter(l -> l.startsWith("worker." + number + "="))
                .mapToLong(l -> Long.parseLong(l.substring(l.indexOf('=') + 1)))
                .sum();
    }

    /** What the admin listener says. */
    String get(String name, String path) throws Exception {
        return http.send(
                        HttpRequest.newBuilder(uri(name, path))
                                .header("Authorization", token(name))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    String post(String name, String path) throws Exception {
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(uri(name, path))
                        .header("Authorization", token(name))
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() / 100 != 2) {
            throw new AssertionError(path + ": " + answer.statusCode() + " " + answer.body());
        }
        return answer.body();
    }

    /** A request that changes something, whatever its answer. */
    HttpResponse<String> send(String name, String method, String path) throws Exception {
        return http.send(
                HttpRequest.newBuilder(uri(name, path))
                        .header("Authorization", token(name))
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private URI uri(String name, String path) {
        return admin(name).resolve(path);
    }

    /** Of a member's admin listener, as it was last; from any thread. */
    URI admin(String name) {
        return Objects.requireNonNull(admin.get(name), name);
    }

    /** What shows the admin listener that it may be asked; from any thread. */
    String token(String name) throws IOException {
        return "Bearer " + Files.readString(data(name).resolve("admin.token")).strip();
    }

    /** One field of /cluster. */
    String fact(String name, String field) throws Exception {
        Matcher m = Pattern.compile("\"" + field + "\"\\s*:\\s*\"?([^\",}]*)").matcher(get(name, "/cluster"));
        return m.find() ? m.group(1) : "";
    }

    /** A number that each start of a member has anew, as another member sees it; empty while it is not live. */
    String incarnation(String name, String seenBy) throws Exception {
        return field(seenBy, "/cluster/members", "member", name, "state").equals("live")
                ? field(seenBy, "/cluster/members", "member", name, "incarnation")
                : "";
    }

    /** A field of the row of a table that has this value for its key; empty where there is no such row. */
    String field(String seenBy, String table, String key, String value, String field) throws Exception {
        Matcher row = Pattern.compile("\\{[^}]*\"" + key + "\"\\s*:\\s*\"" + Pattern.quote(value) + "\"[^}]*\\}")
                .matcher(get(seenBy, table));
        if (!row.find()) {
            return "";
        }
        Matcher found =
                Pattern.compile("\"" + field + "\"\\s*:\\s*\"?([^\",}]*)").matcher(row.group());
        return found.find() ? found.group(1) : "";
    }

    /** Where a singleton is active, as a member sees it; empty while it is nowhere. */
    String active(String singleton, String seenBy) throws Exception {
        return field(seenBy, "/cluster/singletons", "singleton", singleton, "phase")
                        .equals("active")
                ? field(seenBy, "/cluster/singletons", "singleton", singleton, "member")
                : "";
    }

    /** Starts a member again and waits until another sees it live again, and it keeps the log. */
    void restart(String name) throws Exception {
        String other = other(name);
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

    void await(String what, Await.Condition condition) throws Exception {
        // each look is a request or some to a server's admin listener
        Await.until(what, this::logs, LOOK, condition);
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
        former.forEach(ProcessLauncher.Running::close);
        http.close();
    }
}
