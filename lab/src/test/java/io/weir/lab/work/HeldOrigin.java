package io.weir.lab.work;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** An origin that notes what it is asked for, in order, and answers nothing until it is released. Thread-safe. */
public final class HeldOrigin implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch released = new CountDownLatch(1);
    private final List<String> asked = new ArrayList<>();

    public HeldOrigin() throws IOException {
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 128);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** The first segments of the paths that were asked for, first to last. */
    public synchronized List<String> asked() {
        return List.copyOf(asked);
    }

    public void release() {
        released.countDown();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            synchronized (this) {
                asked.add(exchange.getRequestURI().getPath().split("/", 3)[1]);
            }
            if (!released.await(60, TimeUnit.SECONDS)) {
                throw new IOException("never released");
            }
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            exchange.sendResponseHeaders(204, -1);
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
