package io.weir.server.cli;

import io.weir.base.SystemClock;
import io.weir.server.Server;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import io.weir.server.start.ServerParts;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/**
 * A start, some requests and a stop, from which the start-up cache is made. The answers are ignored. Lives for one
 * call.
 */
@Command(name = "train", hidden = true, description = "Runs the workload from which the start-up cache is made.")
final class TrainCommand implements Callable<Integer> {
    private static final int TIME_OUT_MILLIS = 5000;

    @Override
    public Integer call() throws Exception {
        Path dataDir = Files.createTempDirectory("weir-train");
        try {
            List<String> sets = List.of(
                    "listeners.http.port=0",
                    "listeners.messaging.port=0",
                    "admin.port=0",
                    "server.data-dir=" + dataDir);
            LoadedConfig loaded = new ConfigLoader(null, sets, null).load();
            Server server = Server.start(
                    new ServerParts(loaded, dataDir, SystemClock.INSTANCE, System.out, VersionCommand.version()));
            exercise(server);
            server.stop();
        } finally {
            delete(dataDir);
        }
        return 0;
    }

    private static void exercise(Server server) throws IOException {
        InetSocketAddress http = server.listeners().getFirst().address();
        for (int i = 0; i < 3; i++) {
            ask(http, "/");
        }
        ask(http, "http://" + http.getHostString() + ":" + http.getPort() + "/");
        String admin = server.adminAuthority();
        if (admin != null) {
            int colon = admin.lastIndexOf(':');
            InetSocketAddress at =
                    new InetSocketAddress(http.getAddress(), Integer.parseInt(admin, colon + 1, admin.length(), 10));
            for (String path : List.of("/.perf", "/stats-xml", "/metrics", "/health", "/knobs")) {
                ask(at, path);
            }
        }
    }

    private static void ask(InetSocketAddress at, String target) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(at, TIME_OUT_MILLIS);
            socket.setSoTimeout(TIME_OUT_MILLIS);
            String request = "GET " + target + " HTTP/1.1\r\nHost: " + at.getHostString() + ":" + at.getPort()
                    + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            try (InputStream in = socket.getInputStream()) {
                in.readAllBytes();
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path p : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(p);
            }
        }
    }
}
