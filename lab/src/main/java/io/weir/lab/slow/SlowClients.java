package io.weir.lab.slow;

import io.weir.base.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Slow clients of all kinds, from loopback addresses with some hundred clients each, on one thread. Each acts once a
 * second, at different moments; a disconnected client reconnects. They run until a caller closes them.
 */
public final class SlowClients implements AutoCloseable {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    /** Clients of one address: servers limit their number. */
    private static final int PER_ADDRESS = 250;

    private static final int BUFFER = 65536;

    private final Clock clock;
    private final SlowCounts counts = new SlowCounts();
    private final Selector selector;
    private final Deque<SlowClient> clients = new ArrayDeque<>();
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER);
    private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
    private final Thread thread;
    private volatile boolean ended;

    private SlowClients(SlowPorts ports, Map<SlowKind, Integer> perKind, Clock clock) throws IOException {
        this.clock = clock;
        this.selector = Selector.open();
        enlist(ports, perKind);
        this.thread = Thread.ofPlatform().daemon().name("slow clients").unstarted(this::run);
    }

    /** Starts the clients of the kinds for which the server has a port. */
    public static SlowClients start(SlowPorts ports, Map<SlowKind, Integer> perKind, Clock clock) throws IOException {
        SlowClients clients = new SlowClients(ports, perKind, clock);
        clients.thread.start();
        return clients;
    }

    /** They start in turn, one of each kind after the other, within the first second. */
    private void enlist(SlowPorts ports, Map<SlowKind, Integer> perKind) throws UnknownHostException {
        List<SlowKind> kinds = new ArrayList<>();
        int all = 0;
        for (SlowKind kind : SlowKind.values()) {
            int count = perKind.getOrDefault(kind, 0);
            if (kind.port(ports) > 0 && count > 0) {
                kinds.add(kind);
                counts.expect(kind, count);
                all += count;
            }
        }
        long start = clock.nanos();
        for (int index = 0, serial = 0; serial < all; index++) {
            for (SlowKind kind : kinds) {
                if (index < perKind.getOrDefault(kind, 0)) {
                    clients.add(new SlowClient(
                            kind, index, address(serial), kind.port(ports), counts, start + SECOND / all * serial));
                    serial++;
                }
            }
        }
    }

    private static InetSocketAddress address(int serial) throws UnknownHostException {
        return new InetSocketAddress(InetAddress.getByName("127.0.0." + (2 + serial / PER_ADDRESS)), 0);
    }

    /**
     * Waits until each has been connected once; returns how many have not.
     *
     * @param millis time within which at least one more must connect
     */
    public int awaitAll(long millis) throws InterruptedException {
        return counts.awaitAll(millis);
    }

    public SlowCounts counts() {
        return counts;
    }

    private void run() {
        try (selector) {
            while (!ended) {
                long wait = seconds();
                selector.select(this::ready, Math.max(1, TimeUnit.NANOSECONDS.toMillis(wait)));
            }
            for (SlowClient client : clients) {
                client.end();
            }
            end.complete(null);
        } catch (IOException | RuntimeException e) {
            end.completeExceptionally(e);
        }
    }

    /**
     * Runs each client that is due; returns the time until the next one is due. They are ordered by their due times.
     */
    private long seconds() throws IOException {
        for (SlowClient next = clients.peek(); next != null; next = clients.peek()) {
            long now = clock.nanos();
            if (next.due - now > 0) {
                return next.due - now;
            }
            clients.poll();
            next.second(selector, in);
            next.due = now + SECOND;
            clients.add(next);
        }
        return SECOND;
    }

    private void ready(SelectionKey key) {
        try {
            ((SlowClient) key.attachment()).ready(key, in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Disconnects all. */
    @Override
    public void close() throws IOException {
        ended = true;
        selector.wakeup();
        try {
            end.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (java.util.concurrent.ExecutionException e) {
            throw new IOException("the slow clients failed", e.getCause());
        }
    }
}
