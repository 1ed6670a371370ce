package io.weir.lab.bench.growth;

import io.weir.base.Clock;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Open connections, every second one slow. On the quick ones there are always the same few requests on the way, whatever
 * the number of connections, each on one that is chosen at random; after some quick answers the next slow one sends a part
 * of a head. So the mix is the same for any number and any speed. One thread; lives until closed.
 */
final class ManyConnections implements AutoCloseable {
    /** Requests on the way on quick connections. */
    static final int ON_THE_WAY = 5;

    /** Parts of a slow one's head. */
    static final int PARTS = 4;

    /** Quick answers after which a slow connection sends a part. */
    static final int QUICK_PER_PART = 16;

    private static final int PER_ADDRESS = 500;
    private static final int TIME_OUT_MILLIS = 20_000;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long GRACE = 10 * SECOND;
    private static final byte[] REQUEST =
            "GET /k HTTP/1.1\r\nHost: bench.test\r\nUser-Agent: growth\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] HEAD_END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LENGTH = "content-length:".getBytes(StandardCharsets.US_ASCII);
    private static final int LONGEST = 8192;

    private final Clock clock;
    private final Selector selector;
    private final ByteBuffer request = ByteBuffer.allocateDirect(REQUEST.length);
    private final ByteBuffer in = ByteBuffer.allocateDirect(LONGEST);
    private final List<Connection> idle = new ArrayList<>();
    private final List<Connection> slow = new ArrayList<>();
    private final List<SocketChannel> all = new ArrayList<>();
    private int onTheWay;
    private int quick;
    private int next;
    private long answers;
    private long closed;
    private long refused;

    /**
     * What a run counted.
     *
     * @param closed connections that the server closed
     * @param refused answers other than 2xx
     */
    record Found(long answers, double seconds, long closed, long refused) {}

    private ManyConnections(Clock clock) throws IOException {
        this.clock = clock;
        this.selector = Selector.open();
    }

    /**
     * Opens them from several loopback addresses and makes a request on each.
     *
     * @throws IOException if the server refuses one
     */
    static ManyConnections open(int port, int count, Clock clock) throws IOException {
        ManyConnections connections = new ManyConnections(clock);
        try {
            for (int i = 0; i < count; i++) {
                connections.add(port, i);
            }
        } catch (IOException e) {
            int opened = connections.all.size();
            connections.close();
            throw new IOException("connection " + opened + ": " + e.getMessage(), e);
        }
        return connections;
    }

    private void add(int port, int index) throws IOException {
        SocketChannel channel = SocketChannel.open();
        all.add(channel);
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.bind(new InetSocketAddress(InetAddress.getByName("127.0.0." + (2 + index / PER_ADDRESS)), 0));
        channel.socket().connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIME_OUT_MILLIS);
        boolean slowly = index % 2 == 1;
        Connection connection = new Connection(channel, slowly);
        connection.send(0, REQUEST.length);
        while (!connection.take()) {
            // the first answer, for which it waits
        }
        if (connection.refused) {
            throw new IOException("it is refused");
        }
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ, connection);
        if (slowly) {
            slow.add(connection);
            // they are at different parts, as if they had been slow for long
            connection.part = slow.size() % PARTS;
            connection.send(0, connection.begin(connection.part));
        } else {
            idle.add(connection);
        }
    }

    /** Loads for a time; the requests on the way at its end are awaited and counted. */
    Found run(double seconds, RandomGenerator random) throws IOException {
        answers = 0;
        closed = 0;
        refused = 0;
        long start = clock.nanos();
        long end = start + (long) (seconds * SECOND);
        while (clock.nanos() - end < 0) {
            while (onTheWay < ON_THE_WAY && !idle.isEmpty()) {
                ask(random);
            }
            for (; quick >= QUICK_PER_PART && !slow.isEmpty(); quick -= QUICK_PER_PART) {
                act(slow.get(next++ % slow.size()));
            }
            selector.select(1);
            answered();
        }
        long patience = clock.nanos() + GRACE;
        while (onTheWay > 0 && clock.nanos() - patience < 0) {
            selector.select(100);
            answered();
        }
        closed += onTheWay;
        return new Found(answers, (clock.nanos() - start) / (double) SECOND, closed, refused);
    }

    private void ask(RandomGenerator random) throws IOException {
        int at = random.nextInt(idle.size());
        Connection connection = idle.get(at);
        idle.set(at, idle.getLast());
        idle.removeLast();
        onTheWay++;
        connection.asked = true;
        connection.send(0, REQUEST.length);
    }

    private static void act(Connection connection) throws IOException {
        if (connection.part == PARTS) {
            // the answer to the last part is still on the way
            return;
        }
        connection.send(connection.begin(connection.part), connection.begin(connection.part + 1));
        connection.part++;
    }

    private void answered() throws IOException {
        for (Iterator<SelectionKey> keys = selector.selectedKeys().iterator(); keys.hasNext(); ) {
            SelectionKey key = keys.next();
            keys.remove();
            Connection connection = (Connection) key.attachment();
            try {
                if (connection.take()) {
                    ended(connection);
                }
            } catch (IOException e) {
                closed++;
                onTheWay -= connection.asked ? 1 : 0;
                connection.asked = false;
                key.cancel();
            }
        }
    }

    private void ended(Connection connection) {
        answers++;
        refused += connection.refused ? 1 : 0;
        if (connection.slowly) {
            connection.part = 0;
        } else {
            onTheWay--;
            quick++;
            connection.asked = false;
            idle.add(connection);
        }
    }

    @Override
    public void close() throws IOException {
        for (SocketChannel channel : all) {
            channel.close();
        }
        selector.close();
    }

    /** One of them, and how much of its answer has arrived. Confined to the load's thread. */
    private final class Connection {
        private final SocketChannel channel;
        private final boolean slowly;
        private byte @Nullable [] began;
        private boolean refused;
        private boolean asked;
        private int part;

        Connection(SocketChannel channel, boolean slowly) {
            this.channel = channel;
            this.slowly = slowly;
        }

        /** Where a part of the head begins. */
        int begin(int of) {
            return REQUEST.length * of / PARTS;
        }

        void send(int from, int to) throws IOException {
            request.clear().put(REQUEST, from, to - from).flip();
            channel.write(request);
            if (request.hasRemaining()) {
                throw new IOException("the server reads nothing");
            }
        }

        /** Reads what has arrived; whether an answer is complete. */
        boolean take() throws IOException {
            in.clear();
            byte[] before = began;
            if (before != null) {
                in.put(before);
            }
            if (channel.read(in) < 0) {
                throw new EOFException();
            }
            int length = Answer.length(in.flip());
            if (length < 0 || in.limit() < length) {
                byte[] rest = new byte[in.limit()];
                in.get(0, rest);
                began = rest;
                return false;
            }
            began = null;
            refused = in.get("HTTP/1.1 ".length()) != '2';
            return true;
        }
    }

    /** The length of an answer. Stateless. */
    static final class Answer {
        private Answer() {}

        /** Head and body together; -1 while the head is not complete. */
        static int length(ByteBuffer from) {
            int end = find(from, HEAD_END, 0, from.limit());
            if (end < 0) {
                return -1;
            }
            int at = find(from, LENGTH, 0, end);
            int body = 0;
            for (int i = at + LENGTH.length; at >= 0 && i < end; i++) {
                int c = from.get(i);
                if (c >= '0' && c <= '9') {
                    body = body * 10 + (c - '0');
                } else if (c != ' ') {
                    break;
                }
            }
            return end + HEAD_END.length + body;
        }

        private static int find(ByteBuffer in, byte[] what, int from, int to) {
            for (int i = from; i + what.length <= to; i++) {
                int n = 0;
                while (n < what.length && lower(in.get(i + n)) == what[n]) {
                    n++;
                }
                if (n == what.length) {
                    return i;
                }
            }
            return -1;
        }

        private static int lower(int c) {
            return c >= 'A' && c <= 'Z' ? c + 32 : c;
        }
    }
}
