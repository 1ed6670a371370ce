package io.weir.broker;

import io.weir.base.SystemClock;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Stands between clients and a broker, sees every frame that passes, and cuts the link where a test says: the frame that it
 * was cut at is lost. Shared by the test and the threads that pass bytes on.
 */
final class Relay implements AutoCloseable {
    /** A frame on its way. */
    record Frame(boolean toServer, int type, int stream, ByteBuffer payload) {
        boolean is(int other) {
            return type == other;
        }
    }

    private final InetSocketAddress broker;
    private final ServerSocket socket = new ServerSocket();
    private final Set<Pipe> pipes = ConcurrentHashMap.newKeySet();
    private final List<Frame> passed = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger turnedAway = new AtomicInteger();
    private volatile Predicate<Frame> cutAt = f -> false;
    private volatile boolean down;

    Relay(RealBroker broker) throws IOException {
        this.broker = new InetSocketAddress(
                InetAddress.getLoopbackAddress(), broker.listener.address().getPort());
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Thread.ofPlatform().daemon().name("relay").start(this::accept);
    }

    /** A factory's URL with options. */
    String url(String... options) {
        return "weir://127.0.0.1:" + socket.getLocalPort()
                + (options.length == 0 ? "" : "?" + String.join("&", options));
    }

    /** Cuts the link at each frame that is so. */
    void cutAt(Predicate<Frame> so) {
        cutAt = so;
    }

    /** Cuts the link now. */
    void cut() {
        pipes.forEach(Pipe::close);
    }

    /** Turns new connections away, until it is up. */
    void down() {
        down = true;
    }

    void up() {
        down = false;
    }

    /** Connections that were passed on. */
    int connections() {
        return connections.get();
    }

    /** Connections that came while it was down. */
    int turnedAway() {
        return turnedAway.get();
    }

    /** Frames that passed, since {@link #forget}. */
    List<Frame> passed() {
        return passed;
    }

    void forget() {
        passed.clear();
    }

    static void await(String what, BooleanSupplier condition) {
        long end = SystemClock.INSTANCE.nanos() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            if (SystemClock.INSTANCE.nanos() > end) {
                throw new AssertionError("not in time: " + what);
            }
            LockSupport.parkNanos(200_000);
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket client = socket.accept();
                if (down) {
                    client.close();
                    turnedAway.incrementAndGet();
                } else {
                    connect(client);
                }
            }
        } catch (IOException closed) {
            cut();
        }
    }

    private void connect(Socket client) throws IOException {
        try {
            Socket server = new Socket(broker.getAddress(), broker.getPort());
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            Pipe pipe = new Pipe(client, server);
            pipes.add(pipe);
            connections.incrementAndGet();
            Thread.ofPlatform().daemon().start(() -> pipe.pass(client, server, true));
            Thread.ofPlatform().daemon().start(() -> pipe.pass(server, client, false));
        } catch (IOException e) {
            client.close();
        }
    }

    private synchronized boolean passes(Frame f) {
        if (cutAt.test(f)) {
            return false;
        }
        passed.add(f);
        return true;
    }

    /** A client's connection and the broker's that belongs to it. */
    private final class Pipe {
        private final Socket client;
        private final Socket server;

        Pipe(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void pass(Socket from, Socket to, boolean toServer) {
            try (DataInputStream in = new DataInputStream(from.getInputStream())) {
                OutputStream out = to.getOutputStream();
                while (true) {
                    byte[] frame = new byte[in.readInt() + 4];
                    ByteBuffer bytes = ByteBuffer.wrap(frame).putInt(frame.length - 4);
                    in.readFully(frame, 4, frame.length - 4);
                    int type = bytes.get() & 0xff;
                    int stream = bytes.getInt();
                    if (!passes(new Frame(toServer, type, stream, bytes.slice()))) {
                        break;
                    }
                    out.write(frame);
                }
            } catch (IOException end) {
                // the other side is closed, too
            } finally {
                close();
            }
        }

        void close() {
            pipes.remove(this);
            try {
                client.close();
                server.close();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
        cut();
    }
}
