package io.weir.server;

import io.weir.base.SystemClock;
import io.weir.server.admin.RawClient;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import io.weir.server.start.ServerParts;
import io.weir.server.start.StartFailure;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A server on free ports; closing stops it. */
final class RunningServer implements AutoCloseable {
    final Server server;

    /** @param printed gets what it prints */
    RunningServer(Path dataDir, ByteArrayOutputStream printed) throws StartFailure {
        this(dataDir, printed, null);
    }

    RunningServer(Path dataDir, ByteArrayOutputStream printed, @Nullable Path file) throws StartFailure {
        this(dataDir, printed, file, List.of("admin.port=0", "listeners.http.port=0", "listeners.messaging.port=0"));
    }

    RunningServer(Path dataDir, ByteArrayOutputStream printed, @Nullable Path file, List<String> settings)
            throws StartFailure {
        LoadedConfig loaded = new ConfigLoader(file, settings, dataDir).load();
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        server = Server.start(new ServerParts(loaded, dataDir, SystemClock.INSTANCE, out, "0.1.0"));
    }

    InetSocketAddress http() {
        return server.listeners().getFirst().address();
    }

    RawClient.Answer admin(String target) throws Exception {
        return ask("GET", target, "");
    }

    RawClient.Answer ask(String method, String target, String body, String... fields) throws Exception {
        int port = URI.create("http://" + server.adminAuthority()).getPort();
        try (RawClient client = new RawClient(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            return client.ask(method, target, body, fields);
        }
    }

    String text(String target) {
        try {
            return admin(target).body();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.stop();
    }
}
