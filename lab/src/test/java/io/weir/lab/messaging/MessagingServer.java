package io.weir.lab.messaging;

import io.weir.base.SystemClock;
import io.weir.jms.WeirConnectionFactory;
import io.weir.jms.WeirContextFactory;
import io.weir.kernel.listen.BindFailure;
import io.weir.kernel.listen.Listener;
import io.weir.lab.scenario.Counters;
import io.weir.server.Server;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import io.weir.server.start.ServerParts;
import io.weir.server.start.StartFailure;
import io.weir.server.users.AdminToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/**
 * The whole server in the tests' own virtual machine with nothing but messaging: queues {@code q} and {@code r}, topics
 * {@code t} and {@code u}. It can be stopped and started again on the same port and data directory.
 */
final class MessagingServer implements AutoCloseable {
    private static final String YAML = """
            listeners:
              messaging:
                address: 127.0.0.1
                port: 0
                protocol: weir
            messaging:
              journal:
                synchronous-write-policy: disabled
                max-file-size: 1MiB
              queues:
                q: {}
                r: {}
              topics:
                t: {}
                u: {}
            admin:
              enabled: off
            kernel:
              drain-time-out: 500ms
            """;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final Path home;
    private final List<String> settings;
    private Server server;
    private final int port;
    private boolean running = true;

    private MessagingServer(Path home, List<String> settings) {
        this.home = home;
        this.settings = settings;
        this.server = launch(0);
        this.port = server.listeners().stream()
                .map(Listener::address)
                .findFirst()
                .orElseThrow()
                .getPort();
    }

    /**
     * Starts it.
     *
     * @param home an empty directory
     * @param settings key=value, as --set has them
     */
    static MessagingServer start(Path home, String... settings) {
        return new MessagingServer(home, List.of(settings));
    }

    private Server launch(int at) {
        long deadline = SystemClock.INSTANCE.nanos() + TimeUnit.MINUTES.toNanos(3);
        while (true) {
            try {
                return launchOnce(at);
            } catch (IOException | StartFailure e) {
                // between two lives the port may be lent to a client's connection of some other program for a moment
                boolean taken = at != 0 && e.getCause() instanceof BindFailure;
                if (!taken || SystemClock.INSTANCE.nanos() - deadline >= 0) {
                    throw new IllegalStateException(printed.toString(StandardCharsets.UTF_8), e);
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
        }
    }

    private Server launchOnce(int at) throws IOException, StartFailure {
        Path file = Files.writeString(home.resolve("weir.yaml"), YAML);
        Path data = home.resolve("data");
        List<String> all = new ArrayList<>(settings);
        all.add("server.data-dir=" + data);
        all.add("listeners.messaging.port=" + at);
        LoadedConfig loaded = new ConfigLoader(file, all, null).load();
        if (!loaded.usable()) {
            throw new IllegalStateException(loaded.problems().toString());
        }
        PrintStream stdout = new PrintStream(printed, true, StandardCharsets.UTF_8);
        return Server.start(new ServerParts(loaded, data, SystemClock.INSTANCE, stdout, "test"));
    }

    String url() {
        return "weir://127.0.0.1:" + port;
    }

    /** A connection factory of this server; options as name=value. */
    WeirConnectionFactory factory(String... options) {
        return new WeirConnectionFactory(url(options));
    }

    private String url(String... options) {
        return url() + (options.length == 0 ? "" : "?" + String.join("&", options));
    }

    /** Its names; connection factories found there have the options too. */
    Context naming(String... options) throws NamingException {
        Properties environment = new Properties();
        environment.put(Context.INITIAL_CONTEXT_FACTORY, WeirContextFactory.class.getName());
        environment.put(Context.PROVIDER_URL, url(options));
        return new InitialContext(environment);
    }

    /** The port of its messaging listener. */
    int port() {
        return port;
    }

    /** Sum of a counter's samples with these labels; the admin listener must be enabled. */
    double counter(String name, String labels) {
        return new Counters(adminPort(), SystemClock.INSTANCE).read().sum(name, labels);
    }

    /** Where knobs are changed. */
    int adminPort() {
        String authority = Objects.requireNonNull(server.adminAuthority(), "admin is not enabled");
        return Integer.parseInt(authority.substring(authority.lastIndexOf(':') + 1));
    }

    /** Changes a knob while the server runs, as an operator does. */
    void change(String knob, String value) {
        ask("PATCH", "/knobs", "{\"" + knob + "\":\"" + value + "\"}");
    }

    /** Asks the admin listener, as an operator does. */
    String ask(String method, String path, String json) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort() + path))
                    .header("Authorization", "Bearer " + AdminToken.read(data()).text())
                    .header("Content-Type", "application/json")
                    .method(method, BodyPublishers.ofString(json))
                    .build();
            HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IllegalStateException(answer.body());
            }
            return answer.body();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The data directory. */
    Path data() {
        return home.resolve("data");
    }

    /** What the server printed. */
    String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    void stop() {
        if (running) {
            running = false;
            server.stop();
        }
    }

    void startAgain() {
        server = launch(port);
        running = true;
    }

    @Override
    public void close() {
        stop();
    }
}
