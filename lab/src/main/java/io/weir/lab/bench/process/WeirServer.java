package io.weir.lab.bench.process;

import io.weir.base.Clock;
import io.weir.lab.load.ProcessFacts;
import io.weir.lab.scenario.ProcessLauncher;
import io.weir.lab.scenario.Weir;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Weir as a separate process, started like by the launcher. Lives until closed. */
public final class WeirServer implements AutoCloseable {
    private static final Pattern USED = Pattern.compile("used (\\d+)K");
    private final ProcessLauncher.Running running;

    private WeirServer(ProcessLauncher.Running running) {
        this.running = running;
    }

    /**
     * The build that is measured, and how the launcher starts it.
     *
     * @param jar of the server; its manifest names the others
     * @param options of the JVM
     */
    public record Build(String jar, List<String> options) {
        /** From the properties that the launcher sets. */
        public static Build ofLauncher() throws BenchFailure {
            String jar = System.getProperty("weir.bench.server", "");
            if (jar.isEmpty()) {
                throw new BenchFailure("run it with ./weir bench, which selects the server that is measured");
            }
            List<String> options = new ArrayList<>(words(System.getProperty("weir.bench.options", "")));
            options.add("-Dweir.home=" + System.getProperty("weir.home", "."));
            String cache = System.getProperty("weir.bench.cache", "");
            if (!cache.isEmpty()) {
                options.addAll(List.of("-XX:AOTCache=" + cache, "-Xlog:aot=off", "-Xlog:cds=off"));
            }
            return new Build(jar, options);
        }

        /**
         * Another build of Weir, with this one's options: a checkout that {@code ./weir} has built, or a distribution.
         *
         * @throws BenchFailure if the folder has no server
         */
        public Build of(Path folder) throws IOException, BenchFailure {
            for (Path lib : List.of(folder.resolve("server/target/dist/lib"), folder.resolve("lib"))) {
                List<Path> found = servers(lib);
                if (found.size() > 1) {
                    throw new BenchFailure("more than one server in " + lib + ": " + found);
                }
                if (!found.isEmpty()) {
                    List<String> others = new ArrayList<>(options);
                    others.add("-Dweir.home=" + folder);
                    return new Build(found.getFirst().toString(), others);
                }
            }
            throw new BenchFailure("no weir-server-*.jar in " + folder + "/server/target/dist/lib or " + folder
                    + "/lib; build it there with ./weir version");
        }

        private static List<Path> servers(Path lib) throws IOException {
            if (!Files.isDirectory(lib)) {
                return List.of();
            }
            try (DirectoryStream<Path> jars = Files.newDirectoryStream(lib, "weir-server-*.jar")) {
                List<Path> found = new ArrayList<>();
                jars.forEach(found::add);
                return found;
            }
        }

        /** The same without a start-up cache, which belongs to one build alone and would favour it. */
        public Build withoutCache() {
            return new Build(
                    jar,
                    options.stream().filter(o -> !o.startsWith("-XX:AOTCache=")).toList());
        }

        /**
         * The same with another collector and heap, without a start-up cache, which not every collector can read, and with
         * a log of its pauses.
         *
         * @param collector the option that chooses it
         * @param heap such as {@code 512m}
         */
        public Build collecting(String collector, String heap, Path log) {
            List<String> others = new ArrayList<>(withoutCache().options.stream()
                    .filter(o -> !o.matches("-XX:\\+Use\\w+GC|-Xmx.*"))
                    .toList());
            others.addAll(List.of(collector, "-Xmx" + heap, "-Xlog:gc,safepoint:file=" + log + ":none:filecount=0"));
            return new Build(jar, others);
        }

        private static List<String> words(String line) {
            return line.isBlank() ? List.of() : Arrays.asList(line.strip().split("\\s+", -1));
        }

        public String version() {
            String name = Path.of(jar).getFileName().toString();
            return name.replaceAll("^weir-server-|\\.jar$", "");
        }
    }

    /**
     * Starts it with a configuration and waits until it is ready.
     *
     * @param prefix the command that pins it to a processor
     */
    public static WeirServer start(Build build, String config, Path folder, List<String> prefix, Clock clock)
            throws IOException, InterruptedException, BenchFailure {
        Path file = Files.writeString(folder.resolve("weir.yaml"), config);
        try {
            return new WeirServer(new ProcessLauncher(Path.of(build.jar()), build.options(), clock)
                    .withPrefix(prefix)
                    .start(file, folder.resolve("data"), List.of()));
        } catch (Weir.StartRefused e) {
            throw new BenchFailure("Weir does not start: " + e.getMessage(), e);
        }
    }

    public long pid() {
        return running.pid();
    }

    public int port() {
        return running.port("http");
    }

    public int port(String listener) {
        return running.port(listener);
    }

    public Contender contender(String name, String path) {
        return Contender.of(name, pid(), port(), path, true);
    }

    /** Changes a knob while it runs. */
    public void set(String knob, String value) throws IOException, InterruptedException, BenchFailure {
        String token = Files.readString(running.data().resolve("admin.token")).strip();
        HttpRequest patch = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + running.port("admin") + "/knobs"))
                .timeout(Duration.ofSeconds(10))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .method("PATCH", HttpRequest.BodyPublishers.ofString("{\"" + knob + "\": \"" + value + "\"}"))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = client.send(patch, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() >= 300) {
                throw new BenchFailure("Weir refuses " + knob + ": " + answer.statusCode() + " " + answer.body());
            }
        }
    }

    /** The statistics as the admin listener shows them. */
    public Exposition figures() throws IOException, InterruptedException, BenchFailure {
        HttpRequest get = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + running.port("admin") + "/metrics"))
                .timeout(Duration.ofSeconds(10))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = client.send(get, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new BenchFailure("Weir does not show its statistics: " + answer.statusCode());
            }
            return new Exposition(answer.body());
        }
    }

    /** Ends it orderly, as an operator does. */
    public void stop() throws InterruptedException {
        running.stop();
        running.exit();
    }

    /** The folder of its data. */
    public Path data() {
        return running.data();
    }

    /** Bytes used on the heap after a collection. */
    public long usedHeap() throws IOException, InterruptedException {
        return usedHeap(pid());
    }

    /** The same of any JVM. */
    public static long usedHeap(long pid) throws IOException, InterruptedException {
        ProcessFacts.jcmd(pid, "GC.run");
        return usedIn(ProcessFacts.jcmd(pid, "GC.heap_info"));
    }

    /** The bytes that {@code GC.heap_info} reports as used by the generations, without the metaspace after them. */
    public static long usedIn(String heapInfo) {
        long bytes = 0;
        for (String line : heapInfo.lines().toList()) {
            Matcher used = USED.matcher(line);
            if (!line.contains("Metaspace") && !line.contains("class space") && used.find()) {
                bytes += Long.parseLong(used.group(1)) * 1024;
            }
        }
        return bytes;
    }

    /** Collector and heap, as reported by the JVM. */
    public String memory() throws IOException, InterruptedException {
        return memoryIn(ProcessFacts.jcmd(pid(), "VM.flags"));
    }

    /** Such as {@code SerialGC, heap 64 to 512 MiB}. */
    public static String memoryIn(String flags) {
        Matcher collector = Pattern.compile("-XX:\\+Use(\\w+GC)\\b").matcher(flags);
        return (collector.find() ? collector.group(1) : "unknown collector") + ", heap "
                + mebibytes(flags, "InitialHeapSize") + " to " + mebibytes(flags, "MaxHeapSize") + " MiB";
    }

    private static String mebibytes(String flags, String name) {
        Matcher size = Pattern.compile("-XX:" + name + "=(\\d+)").matcher(flags);
        return size.find() ? String.valueOf(Long.parseLong(size.group(1)) >> 20) : "?";
    }

    @Override
    public void close() {
        running.close();
    }
}
