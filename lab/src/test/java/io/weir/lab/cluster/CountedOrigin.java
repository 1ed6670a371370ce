package io.weir.lab.cluster;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An origin that counts its requests by path. Shared. */
abstract class CountedOrigin implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, Integer> requests = new ConcurrentHashMap<>();

    CountedOrigin() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 128);
        server.setExecutor(threads);
    }

    /** Answers from now on. */
    final void start() {
        server.createContext("/", exchange -> {
            try (exchange) {
                String path = exchange.getRequestURI().getPath();
                boolean get = exchange.getRequestMethod().equals("GET");
                answer(exchange, path, get ? requests.merge(path, 1, Integer::sum) : 0);
            }
        });
        server.start();
    }

    /**
     * Answers one request.
     *
     * @param number of the GET requests for this path, this one included; 0: it is another method
     */
    abstract void answer(HttpExchange exchange, String path, int number) throws IOException;

    final int port() {
        return server.getAddress().getPort();
    }

    /** Requests for a path so far. */
    final int count(String path) {
        return requests.getOrDefault(path, 0);
    }

    /** Requests so far. */
    final int total() {
        return requests.values().stream().mapToInt(n -> n).sum();
    }

    @Override
    public final void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
