package io.weir.lab.live;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * An origin that says its name. What begins with {@code /cached} may be stored; {@code /held} stops in the middle of its
 * body until it is released. Thread-safe.
 */
final class TestOrigin implements AutoCloseable {
    private final String name;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch holding = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    TestOrigin(String name) throws IOException {
        this.name = name;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 128);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Whether an answer is held in the middle. */
    boolean holding() {
        return holding.getCount() == 0;
    }

    /** Lets held answers end. */
    void release() {
        released.countDown();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            String path = exchange.getRequestURI().getPath();
            exchange.getResponseHeaders().set("Cache-Control", path.startsWith("/cached") ? "max-age=60" : "no-store");
            byte[] body = name.getBytes(StandardCharsets.US_ASCII);
            boolean held = path.startsWith("/held");
            exchange.sendResponseHeaders(200, held ? 2L * body.length : body.length);
            OutputStream out = exchange.getResponseBody();
            out.write(body);
            if (held) {
                out.flush();
                holding.countDown();
                if (!released.await(3, TimeUnit.MINUTES)) {
                    throw new IOException("never released");
                }
                out.write(body);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    @Override
    public void close() {
        release();
        server.stop(0);
        threads.close();
    }
}
