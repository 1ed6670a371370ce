package io.weir.lab.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A port on loopback that stays while servers behind it come and go; who connects while there is none waits for the next. The way
 * there can be cut: what is sent then arrives nowhere, and nobody is told; it goes on where it stopped when it is healed. Shared;
 * two threads for each connection, which end with it.
 */
public final class Relay implements AutoCloseable {
    private static final int BYTES = 16 * 1024;

    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private int to;
    private boolean cut;

    /**
     * One that leads there.
     *
     * @param to the server's port; 0 while there is none
     */
    public Relay(int to) throws IOException {
        this.to = to;
        Thread.ofVirtual().start(this::accept);
    }

    public int port() {
        return socket.getLocalPort();
    }

    String address() {
        return "127.0.0.1:" + port();
    }

    /** The server's port from now on; 0 while there is none. */
    void leadTo(int port) {
        change(() -> to = port);
    }

    /** From now on nothing gets through. */
    public void cut() {
        change(() -> cut = true);
    }

    public void heal() {
        change(() -> cut = false);
    }

    private void change(Runnable what) {
        lock.lock();
        try {
            what.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until there is a way, and tells where it leads. */
    private int way() throws InterruptedException {
        lock.lock();
        try {
            while (cut || to == 0) {
                changed.await();
            }
            return to;
        } finally {
            lock.unlock();
        }
    }

    private void whole() throws InterruptedException {
        lock.lock();
        try {
            while (cut) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
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
            there.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), way()));
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
                whole();
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
