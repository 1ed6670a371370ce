package io.weir.cluster.ratis;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands between a caller and a member's log, passes everything on, and keeps what the caller says. Lives for a test. */
final class Tape implements AutoCloseable {
    private final ServerSocket ear = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int port;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    /** Directions in which one end was gone. */
    private final AtomicInteger over = new AtomicInteger();

    Tape(int port) throws IOException {
        this.port = port;
        Thread.ofVirtual().start(this::listen);
    }

    int port() {
        return ear.getLocalPort();
    }

    byte[] said() {
        synchronized (said) {
            return said.toByteArray();
        }
    }

    private void listen() {
        try {
            while (true) {
                Socket caller = ear.accept();
                Socket member = new Socket(InetAddress.getLoopbackAddress(), port);
                sockets.addAll(List.of(caller, member));
                Thread.ofVirtual().start(() -> pass(caller, member, true));
                Thread.ofVirtual().start(() -> pass(member, caller, false));
            }
        } catch (IOException e) {
            close();
        }
    }

    private void pass(Socket from, Socket to, boolean kept) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[16 << 10];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                if (kept) {
                    synchronized (said) {
                        said.write(buffer, 0, n);
                    }
                }
                out.write(buffer, 0, n);
            }
        } catch (IOException e) {
            over.incrementAndGet();
        }
    }

    @Override
    public void close() {
        try {
            ear.close();
            for (Socket s : sockets) {
                s.close();
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
