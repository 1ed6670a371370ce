package io.weir.lab.scenario;

import io.weir.base.Clock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Starts the server as a separate process, from its jar, as an operator's shell does. Immutable. */
public final class ProcessLauncher implements Weir.Launcher {
    private static final Pattern ADDRESS = Pattern.compile("(?:listener\\.)?([A-Za-z0-9_-]+)=.*:(\\d+)");
    private static final int START_SECONDS = 120;
    private final Path jar;
    private final List<String> jvmOptions;
    private final Clock clock;
    private final int descriptors;
    private final List<String> prefix;

    public ProcessLauncher(Path jar, List<String> jvmOptions, Clock clock) {
        this(jar, jvmOptions, clock, 0, List.of());
    }

    private ProcessLauncher(Path jar, List<String> jvmOptions, Clock clock, int descriptors, List<String> prefix) {
        this.jar = jar;
        this.jvmOptions = List.copyOf(jvmOptions);
        this.clock = clock;
        this.descriptors = descriptors;
        this.prefix = List.copyOf(prefix);
    }

    /** The same with a bound on open files ({@code ulimit -n}). */
    public ProcessLauncher withDescriptors(int limit) {
        return new ProcessLauncher(jar, jvmOptions, clock, limit, prefix);
    }

    /** The same with more options for the JVM. */
    public ProcessLauncher withJvmOptions(String... more) {
        List<String> all = new ArrayList<>(jvmOptions);
        all.addAll(List.of(more));
        return new ProcessLauncher(jar, all, clock, descriptors, prefix);
    }

    /** The same, started by a program that replaces itself with its command, such as {@code taskset -c 0}. */
    public ProcessLauncher withPrefix(List<String> words) {
        return new ProcessLauncher(jar, jvmOptions, clock, descriptors, words);
    }

    @Override
    public Running start(@Nullable Path config, Path data, List<String> sets)
            throws IOException, InterruptedException, Weir.StartRefused {
        Files.createDirectories(data);
        Path output = Files.createTempFile(data.toAbsolutePath().getParent(), "weir", ".out");
        Process process = new ProcessBuilder(command(config, data, sets))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        Running running = new Running(process, data, output);
        running.awaitReady(clock);
        return running;
    }

    private List<String> command(@Nullable Path config, Path data, List<String> sets) {
        List<String> java = new ArrayList<>(prefix);
        java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        java.addAll(jvmOptions);
        java.addAll(List.of("-jar", jar.toString(), "run"));
        if (config != null) {
            java.addAll(List.of("--config", config.toString()));
        }
        java.addAll(List.of("--set", "server.data-dir=" + data));
        sets.forEach(s -> java.addAll(List.of("--set", s)));
        if (descriptors == 0) {
            return java;
        }
        List<String> limited =
                new ArrayList<>(List.of("/bin/sh", "-c", "ulimit -n " + descriptors + "; exec \"$@\"", "weir"));
        limited.addAll(java);
        return limited;
    }

    /** A server process. Thread-safe. */
    public static final class Running implements Weir {
        private final Process process;
        private final Path data;
        private final Path output;
        private final Map<String, Integer> ports = new ConcurrentHashMap<>();
        /** Processes that it had when it was killed. */
        private final Queue<ProcessHandle> workers = new ConcurrentLinkedQueue<>();

        private Running(Process process, Path data, Path output) {
            this.process = process;
            this.data = data;
            this.output = output;
        }

        private void awaitReady(Clock clock) throws InterruptedException, Weir.StartRefused {
            long deadline = clock.nanos() + TimeUnit.SECONDS.toNanos(START_SECONDS);
            while (about().isEmpty()) {
                if (!process.isAlive()) {
                    throw new Weir.StartRefused(process.waitFor(), String.join("\n", log()));
                }
                if (clock.nanos() - deadline > 0) {
                    process.destroyForcibly();
                    throw new Weir.StartRefused(
                            -1, "not ready within " + START_SECONDS + " s\n" + String.join("\n", log()));
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
        }

        /** The pid file's lines: written when the server is ready, with its addresses; empty before. */
        private List<String> about() {
            Path file = data.resolve("weir.pid");
            try {
                List<String> lines = Files.readAllLines(file);
                return !lines.isEmpty() && lines.getFirst().equals(String.valueOf(process.pid())) ? lines : List.of();
            } catch (NoSuchFileException e) {
                return List.of();
            } catch (IOException e) {
                throw new ScenarioFailure("cannot read " + file, e);
            }
        }

        @Override
        public int port(String listener) {
            if (!ports.containsKey(listener)) {
                for (String line : about()) {
                    Matcher m = ADDRESS.matcher(line);
                    if (m.matches()) {
                        ports.put(m.group(1), Integer.parseInt(m.group(2)));
                    }
                }
            }
            Integer port = ports.get(listener);
            if (port == null) {
                throw new ScenarioFailure("no listener `" + listener + "`; there are " + ports);
            }
            return port;
        }

        public long pid() {
            return process.pid();
        }

        public boolean alive() {
            return process.isAlive();
        }

        @Override
        public Path data() {
            return data;
        }

        @Override
        public List<String> log() {
            try {
                return Files.readString(output, StandardCharsets.ISO_8859_1)
                        .lines()
                        .toList();
            } catch (IOException e) {
                throw new ScenarioFailure("cannot read what the server printed", e);
            }
        }

        @Override
        public void stop() {
            process.destroy();
        }

        @Override
        public void kill() {
            workers.addAll(process.descendants().toList());
            process.destroyForcibly();
        }

        @Override
        public int exit() throws InterruptedException {
            if (!process.waitFor(300, TimeUnit.SECONDS)) {
                throw new ScenarioFailure("the server did not end within 300 s");
            }
            return process.exitValue();
        }

        @Override
        public void close() {
            kill();
            process.onExit().join();
            // its workers notice that a moment later, and write into its folders meanwhile
            workers.forEach(ProcessHandle::destroyForcibly);
            workers.forEach(w -> w.onExit().join());
        }
    }
}
