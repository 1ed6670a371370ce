package io.weir.lab.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.Semaphore;

/**
 * A way to a port on loopback that can be cut: what is sent then arrives nowhere, and nobody is told. Goes on where it stopped when
 * it is healed. Shared; two threads for each connection, which end with it.
 */
final class Relay implements AutoCloseable {
    private static final int WHOLE = Integer.MAX_VALUE / 2;
    private static final int BYTES = 16 * 1024;

    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int to;
    private final Semaphore way = new Semaphore(WHOLE);

    Relay(int to) throws IOException {
        this.to = to;
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return socket.getLocalPort();
    }

    /** From now on nothing gets through. */
    void cut() throws InterruptedException {
        way.acquire(WHOLE);
    }

    void heal() {
        way.release(WHOLE);
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket from = socket.accept();
                Thread.ofVirtual().start(() -> connect(from));
            } catch (IOException e) {
                // it was closed
                return;
            }
        }
    }

    private void connect(Socket from) {
        Socket there = new Socket();
        try {
            // not even that it is connected to nobody is known where the way is cut
            way.acquire();
            way.release();
            there.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), to));
            Thread.ofVirtual().start(() -> copy(there, from));
            copy(from, there);
        } catch (IOException e) {
            end(from, there);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            end(from, there);
        }
    }

    private void copy(Socket from, Socket there) {
        byte[] some = new byte[BYTES];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = there.getOutputStream();
            for (int n = in.read(some); n > 0; n = in.read(some)) {
                way.acquire();
                way.release();
                out.write(some, 0, n);
            }
        } catch (IOException e) {
            // one end is gone, and so is the other
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            end(from, there);
        }
    }

    private static void end(Socket one, Socket other) {
        try (one) {
            other.close();
        } catch (IOException e) {
            // they are closed all the same
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
