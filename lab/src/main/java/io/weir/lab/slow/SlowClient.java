package io.weir.lab.slow;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * One slow client: connects, is slow, and reconnects in the second after it was disconnected. Confined to the clients'
 * thread.
 */
final class SlowClient {
    /** The smallest receive buffer that the system allows: unread data stays at the server. */
    private static final int NARROW = 4096;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SlowKind kind;
    private final int index;
    private final InetSocketAddress from;
    private final InetSocketAddress to;
    private final SlowCounts counts;
    private @Nullable SocketChannel channel;
    private SlowManner manner;
    private ByteBuffer out = NOTHING;
    private int seconds;
    private boolean connected;

    /** Time of its next action. */
    long due;

    SlowClient(SlowKind kind, int index, InetSocketAddress from, int port, SlowCounts counts, long due) {
        this.kind = kind;
        this.index = index;
        this.from = from;
        this.to = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.counts = counts;
        this.due = due;
        this.manner = kind.manner(index);
    }

    /** Performs its action of the second. */
    void second(Selector selector, ByteBuffer in) throws IOException {
        SocketChannel open = channel;
        if (open == null) {
            connect(selector);
        } else if (connected) {
            try {
                go(open, in);
            } catch (IOException e) {
                counts.cut(kind);
                drop(open);
            } catch (SlowManner.Refused e) {
                counts.refused(kind, e);
                drop(open);
            }
        }
    }

    private void connect(Selector selector) throws IOException {
        manner = kind.manner(index);
        seconds = 0;
        connected = false;
        SocketChannel opening = SocketChannel.open();
        channel = opening;
        opening.configureBlocking(false);
        if (manner.appetite() != SlowManner.ALL) {
            opening.setOption(StandardSocketOptions.SO_RCVBUF, NARROW);
        }
        opening.bind(from);
        opening.register(selector, SelectionKey.OP_CONNECT, this);
        try {
            opening.connect(to);
        } catch (IOException e) {
            counts.unconnected(kind);
            close(opening);
        }
    }

    private void go(SocketChannel open, ByteBuffer in) throws IOException, SlowManner.Refused {
        if (++seconds > manner.patience()) {
            drop(open);
            return;
        }
        if (!out.hasRemaining()) {
            out = ByteBuffer.wrap(manner.more());
        }
        open.write(out);
        if (manner.appetite() > 0) {
            read(open, in);
        }
    }

    /** Called when the selector has an event for it. */
    void ready(SelectionKey key, ByteBuffer in) throws IOException {
        SocketChannel open = (SocketChannel) key.channel();
        try {
            if (key.isConnectable()) {
                begin(open, key);
            } else {
                read(open, in);
            }
        } catch (IOException e) {
            if (connected) {
                counts.cut(kind);
                drop(open);
            } else {
                counts.unconnected(kind);
                close(open);
            }
        } catch (SlowManner.Refused e) {
            counts.refused(kind, e);
            drop(open);
        }
    }

    private void begin(SocketChannel open, SelectionKey key) throws IOException {
        open.finishConnect();
        open.setOption(StandardSocketOptions.TCP_NODELAY, true);
        connected = true;
        counts.opened(kind, index);
        key.interestOps(manner.appetite() == SlowManner.ALL ? SelectionKey.OP_READ : 0);
        out = ByteBuffer.wrap(manner.opening());
        open.write(out);
    }

    /** Reads what is available, up to its appetite. */
    private void read(SocketChannel open, ByteBuffer in) throws IOException, SlowManner.Refused {
        in.clear().limit(Math.min(in.capacity(), manner.appetite()));
        int n = open.read(in);
        if (n < 0) {
            counts.cut(kind);
            drop(open);
            return;
        }
        manner.came(in.flip());
    }

    private void drop(SocketChannel open) throws IOException {
        counts.dropped(kind);
        close(open);
    }

    private void close(SocketChannel open) throws IOException {
        connected = false;
        channel = null;
        out = NOTHING;
        open.close();
    }

    /** Ends the client. */
    void end() throws IOException {
        SocketChannel open = channel;
        if (open != null) {
            close(open);
        }
    }
}
