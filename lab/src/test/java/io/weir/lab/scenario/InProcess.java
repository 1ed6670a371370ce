package io.weir.lab.scenario;

import io.weir.base.SystemClock;
import io.weir.kernel.listen.Listener;
import io.weir.server.Server;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import io.weir.server.start.ServerParts;
import io.weir.server.start.StartFailure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The whole server in the tests' own virtual machine: the same assembly that {@code weir run} starts, without a new
 * process for each scenario. Stateless.
 */
public final class InProcess implements Weir.Launcher {
    /** What every scenario starts with; its own settings win. */
    private static final List<String> DEFAULTS = List.of("kernel.drain-time-out=5s");

    @Override
    public Weir start(@Nullable Path config, Path data, List<String> sets) throws IOException, Weir.StartRefused {
        List<String> all = new ArrayList<>(DEFAULTS);
        all.add("server.data-dir=" + data);
        all.addAll(sets);
        LoadedConfig loaded = new ConfigLoader(config, all, null).load();
        if (!loaded.usable()) {
            throw new Weir.StartRefused(
                    1, loaded.problems().stream().map(Object::toString).collect(Collectors.joining("\n")));
        }
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream stdout = new PrintStream(printed, true, StandardCharsets.UTF_8);
        try {
            return new Running(
                    Server.start(new ServerParts(loaded, data, SystemClock.INSTANCE, stdout, "test")), data, printed);
        } catch (StartFailure e) {
            throw new Weir.StartRefused(1, e.getMessage() + "\n" + printed.toString(StandardCharsets.UTF_8));
        }
    }

    /** A started server. Thread-safe. */
    private static final class Running implements Weir {
        private final Server server;
        private final Path data;
        private final ByteArrayOutputStream printed;
        private @Nullable CompletableFuture<Boolean> stopped;

        Running(Server server, Path data, ByteArrayOutputStream printed) {
            this.server = server;
            this.data = data;
            this.printed = printed;
        }

        @Override
        public int port(String listener) {
            if (listener.equals("admin")) {
                String authority = Objects.requireNonNull(server.adminAuthority(), "no admin listener");
                return Integer.parseInt(authority.substring(authority.lastIndexOf(':') + 1));
            }
            return server.listeners().stream()
                    .filter(l -> l.name().equals(listener))
                    .map(Listener::address)
                    .findFirst()
                    .orElseThrow(() -> new ScenarioFailure("no listener `" + listener + "`"))
                    .getPort();
        }

        @Override
        public Path data() {
            return data;
        }

        @Override
        public List<String> log() {
            server.flushLog();
            Path file = data.resolve("logs/server.log");
            List<String> lines = new ArrayList<>(
                    printed.toString(StandardCharsets.UTF_8).lines().toList());
            try {
                if (Files.exists(file)) {
                    lines.addAll(Files.readAllLines(file));
                }
            } catch (IOException e) {
                throw new ScenarioFailure("cannot read the server log", e);
            }
            return lines;
        }

        @Override
        public synchronized void stop() {
            if (stopped == null) {
                stopped = CompletableFuture.supplyAsync(server::stop);
            }
        }

        @Override
        public void kill() {
            stop();
        }

        /** A virtual machine of its own would end with 0 after a drain, clean or not. */
        @Override
        public int exit() throws InterruptedException {
            CompletableFuture<Boolean> end;
            synchronized (this) {
                end = stopped;
            }
            if (end == null) {
                throw new ScenarioFailure("the server was not told to stop");
            }
            try {
                end.get(3, TimeUnit.MINUTES);
                return 0;
            } catch (ExecutionException | TimeoutException e) {
                throw new ScenarioFailure("the server did not stop", e);
            }
        }

        @Override
        public void close() throws IOException {
            stop();
            try {
                exit();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException(e);
            }
        }
    }
}
