package io.weir.lab.cluster;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An origin whose answers may be stored for long, and that counts its requests by path. Shared. */
final class CountingOrigin implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, Integer> requests = new ConcurrentHashMap<>();

    CountingOrigin() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 128);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            int number = requests.merge(path, 1, Integer::sum);
            exchange.getResponseHeaders().set("Cache-Control", "max-age=3600");
            byte[] body = (path + " " + number).getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** Requests for a path so far. */
    int count(String path) {
        return requests.getOrDefault(path, 0);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
