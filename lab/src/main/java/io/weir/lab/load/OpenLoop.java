package io.weir.lab.load;

import io.weir.base.Clock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Requests one URL at a steady rate on kept connections, regardless of the answers, and measures each answer from when
 * its request was due: a server that stalls for a second is late for all requests due in it (no coordinated omission).
 * One thread, which spins. Confined to its caller's thread.
 */
public final class OpenLoop {
    private static final long LONGEST = TimeUnit.SECONDS.toNanos(60);
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);
    private static final int BUFFER = 65536;

    /**
     * The parameters of a run.
     *
     * @param perSecond requests that are due a second
     */
    public record Plan(int port, String path, double perSecond, double seconds, int connections) {}

    /**
     * The result of a run.
     *
     * @param unanswered requests without an answer within the time-out
     */
    public record Found(Histogram nanos, long unanswered) {}

    private final Plan plan;
    private final Clock clock;
    private final byte[] request;
    private final Deque<Caller> idle = new ArrayDeque<>();
    private final List<Caller> callers = new ArrayList<>();
    private final Histogram nanos = new Histogram(LONGEST, 3);
    private long answered;

    private OpenLoop(Plan plan, Clock clock) {
        this.plan = plan;
        this.clock = clock;
        this.request =
                ("GET " + plan.path() + " HTTP/1.1\r\nHost: bench.test\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    /** Runs the plan. */
    public static Found run(Plan plan, Clock clock) throws IOException {
        return new OpenLoop(plan, clock).run();
    }

    private Found run() throws IOException {
        try (Selector selector = Selector.open()) {
            for (int i = 0; i < plan.connections(); i++) {
                Caller caller = new Caller(plan.port(), selector);
                callers.add(caller);
                idle.push(caller);
            }
            long count = Math.round(plan.perSecond() * plan.seconds());
            ask(selector, count);
            return new Found(nanos, count - answered);
        } finally {
            for (Caller caller : callers) {
                caller.channel.close();
            }
        }
    }

    private void ask(Selector selector, long count) throws IOException {
        double interval = TimeUnit.SECONDS.toNanos(1) / plan.perSecond();
        long start = clock.nanos();
        long end = start + (long) (interval * count) + PATIENCE;
        long sent = 0;
        while (answered < count) {
            long now = clock.nanos();
            boolean worked = false;
            while (sent < count && !idle.isEmpty() && start + (long) (sent * interval) <= now) {
                idle.pop().ask(request, start + (long) (sent * interval));
                sent++;
                worked = true;
            }
            worked |= selector.selectNow(this::answer) > 0;
            if (!worked) {
                if (now > end) {
                    return;
                }
                // spins, so that a request is sent when it is due; an origin on the same processor runs in between
                Thread.onSpinWait();
            }
        }
    }

    private void answer(SelectionKey key) {
        Caller caller = (Caller) key.attachment();
        try {
            if (caller.answered()) {
                nanos.recordValue(Math.clamp(clock.nanos() - caller.due, 0, LONGEST));
                answered++;
                idle.push(caller);
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** A connection with at most one outstanding request. */
    private static final class Caller {
        private static final byte[] LENGTH = "content-length:".getBytes(StandardCharsets.US_ASCII);

        private final SocketChannel channel;
        private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER);
        private long due;
        private long bodyLeft = -1;

        Caller(int port, Selector selector) throws IOException {
            channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, this);
        }

        void ask(byte[] request, long at) throws IOException {
            due = at;
            bodyLeft = -1;
            ByteBuffer out = ByteBuffer.wrap(request);
            while (out.hasRemaining()) {
                channel.write(out);
            }
        }

        /** Reads the available bytes; returns true if the answer is complete. */
        boolean answered() throws IOException {
            int n = channel.read(in);
            if (n < 0) {
                throw new IOException("the server closed a connection that is kept");
            }
            in.flip();
            if (bodyLeft < 0) {
                int body = head();
                if (body < 0) {
                    in.compact();
                    return false;
                }
                in.position(body);
            }
            bodyLeft -= in.remaining();
            in.clear();
            if (bodyLeft < 0) {
                throw new IOException("more than its Content-Length");
            }
            return bodyLeft == 0;
        }

        /** The start of the body, or -1; sets its remaining length. */
        private int head() throws IOException {
            for (int i = 3; i < in.limit(); i++) {
                if (in.get(i) == '\n' && in.get(i - 2) == '\n') {
                    if (in.get(9) != '2') {
                        throw new IOException("the server refuses");
                    }
                    bodyLeft = length(i);
                    return i + 1;
                }
            }
            return -1;
        }

        private long length(int end) throws IOException {
            for (int i = 0; i + LENGTH.length < end; i++) {
                int same = 0;
                while (same < LENGTH.length && (in.get(i + same) | 0x20) == (LENGTH[same] | 0x20)) {
                    same++;
                }
                if (same == LENGTH.length) {
                    long length = 0;
                    for (int at = i + same; in.get(at) != '\r'; at++) {
                        length = in.get(at) == ' ' ? length : length * 10 + in.get(at) - '0';
                    }
                    return length;
                }
            }
            throw new IOException("an answer without Content-Length");
        }
    }
}
