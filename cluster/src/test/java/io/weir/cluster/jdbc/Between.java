package io.weir.cluster.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Stands between a member and its database's port, and lets bytes pass or lose their way: a network that drops packets does
 * not tell. Shared; its threads end with it.
 */
final class Between implements AutoCloseable {
    private final ServerSocket listener;
    private final int target;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private volatile boolean losing;

    Between(int target) throws IOException {
        this.target = target;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** From now on whatever is sent is lost, for good; connections can still be made. Or passes, for connections made then. */
    void lose(boolean now) {
        losing = now;
    }

    private void accept() {
        try {
            while (true) {
                Socket from = listener.accept();
                Socket to = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.add(from);
                sockets.add(to);
                Thread.ofVirtual().start(() -> pass(from, to));
                Thread.ofVirtual().start(() -> pass(to, from));
            }
        } catch (IOException closed) {
            losing = true;
        }
    }

    private void pass(Socket from, Socket to) {
        byte[] buffer = new byte[8192];
        boolean lost = false;
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                // what follows lost bytes must not pass either: a stream has no holes
                lost |= losing;
                if (!lost) {
                    out.write(buffer, 0, n);
                }
            }
        } catch (IOException ended) {
            sockets.remove(from);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket s : sockets) {
            s.close();
        }
    }
}
