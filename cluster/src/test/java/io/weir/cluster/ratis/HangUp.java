package io.weir.cluster.ratis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Listens in a member's place on loopback, closes each connection and counts them. Shared; lives as long as its test. */
final class HangUp implements AutoCloseable {
    private static final int BACKLOG = 16;

    private final ServerSocket socket;
    private final AtomicInteger calls = new AtomicInteger();
    private final CompletableFuture<Void> ended;

    HangUp(int port) throws IOException {
        socket = new ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress());
        ended = CompletableFuture.runAsync(this::run, Thread::startVirtualThread);
    }

    private void run() {
        while (!socket.isClosed()) {
            try {
                socket.accept().close();
                calls.incrementAndGet();
            } catch (IOException e) {
                // closed, or the caller left
            }
        }
    }

    int calls() {
        return calls.get();
    }

    @Override
    public void close() throws IOException {
        socket.close();
        // the port is free once nobody accepts any more
        ended.join();
    }
}
