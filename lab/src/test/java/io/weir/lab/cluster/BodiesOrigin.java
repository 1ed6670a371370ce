package io.weir.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.weir.base.Chance;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/**
 * An origin with large answers, each made from its path, with entity tags and ranges. An unsafe request changes the answer of its path. Shared.
 */
final class BodiesOrigin extends CountedOrigin {
    private static final int PIECE = 64 * 1024;

    private final int bytes;
    private final Map<String, Integer> versions = new ConcurrentHashMap<>();
    /** Paths of which half of the answer is sent, until it is requested a second time. */
    private final Map<String, CountDownLatch> halves = new ConcurrentHashMap<>();

    BodiesOrigin(int bytes) throws IOException {
        this.bytes = bytes;
        start();
    }

    @Override
    void answer(HttpExchange exchange, String path, int number) throws IOException {
        if (number == 0) {
            versions.merge(path, 1, Integer::sum);
            exchange.sendResponseHeaders(204, -1);
            return;
        }
        CountDownLatch half = halves.get(path);
        if (half != null && number > 1) {
            half.countDown();
        }
        byte[] body = body(path);
        exchange.getResponseHeaders().set("Cache-Control", "max-age=3600");
        exchange.getResponseHeaders().set("ETag", "\"" + path + "." + version(path) + "\"");
        String range = exchange.getRequestHeaders().getFirst("Range");
        int size = size(path);
        int from = 0;
        if (range != null) {
            int dash = range.indexOf('-');
            from = Integer.parseInt(range.substring("bytes=".length(), dash));
            String last = range.substring(dash + 1);
            assertThat(last).as("all of the rest").isIn("", Integer.toString(size - 1));
            exchange.getResponseHeaders().set("Content-Range", "bytes " + from + "-" + (size - 1) + "/" + size);
        }
        exchange.sendResponseHeaders(range == null ? 200 : 206, size - from);
        try (OutputStream out = exchange.getResponseBody()) {
            for (int at = from; at < size; at += PIECE) {
                if (half != null && number == 1 && at >= size / 2) {
                    out.flush();
                    await(half);
                }
                out.write(body, at, Math.min(PIECE, size - at));
            }
        }
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IOException("the origin ends", e);
        }
    }

    /** Of the first answer for this path only a half is sent. */
    void half(String path) {
        halves.put(path, new CountDownLatch(1));
    }

    private int size(String path) {
        return path.startsWith("/large/") ? 10 * bytes : bytes;
    }

    private int version(String path) {
        return versions.getOrDefault(path, 0);
    }

    /** What is to be received for a path now. */
    byte[] body(String path) {
        byte[] body = new byte[size(path)];
        Chance.seeded(31L * path.hashCode() + version(path)).random().nextBytes(body);
        return body;
    }
}
