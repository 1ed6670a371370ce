package io.weir.lab.bench.rules;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * An origin that answers each request after a time, as one in a remote network does: a kilobyte that may not be stored.
 * Lives until closed; a thread for each connection.
 */
final class RemoteOrigin implements AutoCloseable {
    private static final int BYTES = 1024;

    private final ServerSocket socket;
    private final long delayNanos;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    RemoteOrigin(long delayMillis) throws IOException {
        this.socket = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
        this.delayNanos = TimeUnit.MILLISECONDS.toNanos(delayMillis);
        Thread.ofVirtual().name("remote origin").start(this::accept);
    }

    int port() {
        return socket.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket accepted = socket.accept();
                open.add(accepted);
                Thread.ofVirtual().start(() -> serve(accepted));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void serve(Socket connection) {
        byte[] answer = ("HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nContent-Length: " + BYTES + "\r\n\r\n"
                        + "x".repeat(BYTES))
                .getBytes(StandardCharsets.US_ASCII);
        try (connection) {
            connection.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(connection.getInputStream());
            while (head(in)) {
                LockSupport.parkNanos(delayNanos);
                connection.getOutputStream().write(answer);
            }
        } catch (IOException e) {
            // the server closed it
        } finally {
            open.remove(connection);
        }
    }

    /** Reads a request's head; false: there is none. */
    private static boolean head(InputStream in) throws IOException {
        int last = 0;
        for (int b = in.read(); b >= 0; b = in.read()) {
            last = (last << 8) | b;
            if (last == (('\r' << 24) | ('\n' << 16) | ('\r' << 8) | '\n')) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() throws IOException {
        socket.close();
        for (Socket each : open) {
            each.close();
        }
    }
}
