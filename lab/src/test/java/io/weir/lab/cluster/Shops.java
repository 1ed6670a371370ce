package io.weir.lab.cluster;

import io.weir.base.SystemClock;
import io.weir.lab.process.Await;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/** Hears from each activation of {@link Archive}'s singleton, as it happens. Shared; lives as long as its test. */
final class Shops implements AutoCloseable {
    /** Somebody became active, at this monotonic time. */
    record Open(String member, int version, long fence, long at) {}

    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Open> opened = new CopyOnWriteArrayList<>();

    Shops() throws IOException {
        Thread.startVirtualThread(this::hear);
    }

    int port() {
        return socket.getLocalPort();
    }

    private void hear() {
        while (!socket.isClosed()) {
            try (Socket s = socket.accept();
                    DataInputStream in = new DataInputStream(s.getInputStream())) {
                opened.add(new Open(in.readUTF(), in.readInt(), in.readLong(), SystemClock.INSTANCE.nanos()));
            } catch (IOException e) {
                if (!socket.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    /** The first that fits, awaited. */
    Open await(Predicate<Open> fits) throws Exception {
        Await.until("an activation", opened::toString, () -> first(fits).isPresent());
        return first(fits).orElseThrow();
    }

    private Optional<Open> first(Predicate<Open> fits) {
        return opened.stream().filter(fits).findFirst();
    }

    Open latest() {
        return opened.getLast();
    }

    /** Their fences in the order in which they were heard. */
    List<Long> fences() {
        return opened.stream().map(Open::fence).toList();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
