package io.weir.kernel;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.SimpleChannelInboundHandler;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.kernel.connection.Connection;
import io.weir.kernel.connection.Protocol;
import io.weir.kernel.listen.Listener;
import io.weir.kernel.queue.ConnectionQueue;
import io.weir.kernel.settings.KernelConfig;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Prints what low-latency and high-concurrency mode cost and buy in the kernel alone: processor time of a miss, of muxer
 * and execute threads together, and how long a hit waits that comes behind a burst of misses whose starts take a while.
 * Run it by hand: {@code java … ModeMeasure}. It is no test: figures vary.
 */
final class ModeMeasure {
    private static final int CONNECTIONS = 32;
    private static final int ROUNDS = 4000;
    private static final int BURSTS = 300;
    private static final long START_NANOS = 50_000;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private ModeMeasure() {}

    public static void main(String[] arguments) throws Exception {
        Live<KernelConfig> config = new Live<>(mode("low-latency"));
        KernelParts parts = new KernelParts(config, Map.of(), SystemClock.INSTANCE, new Stats(), Log.NONE);
        try (Kernel kernel = new Kernel(parts)) {
            Misses protocol = new Misses(kernel);
            Listener l = kernel.open("modes", Configs.listener(), protocol);
            List<Socket> clients = new ArrayList<>();
            for (int i = 0; i <= CONNECTIONS; i++) {
                Socket s = new Socket(l.address().getAddress(), l.address().getPort());
                s.setTcpNoDelay(true);
                clients.add(s);
            }
            for (int turn = 0; turn < 6; turn++) {
                for (String name : List.of("low-latency", "high-concurrency")) {
                    config.set(mode(name));
                    protocol.startNanos = 0;
                    double micros = misses(clients);
                    protocol.startNanos = START_NANOS;
                    long[] waits = hits(clients);
                    System.out.printf(
                            "%s: CPU of a miss %.2f us; a hit behind %d misses of %d us: median %d us, 9th decile %d us%n",
                            name,
                            micros,
                            CONNECTIONS,
                            START_NANOS / 1000,
                            waits[BURSTS / 2] / 1000,
                            waits[BURSTS * 9 / 10] / 1000);
                }
            }
            for (Socket s : clients) {
                s.close();
            }
        }
    }

    private static KernelConfig mode(String name) {
        return Configs.kernel("socket-readers=1", "mode=" + name);
    }

    private static double misses(List<Socket> clients) throws IOException {
        long before = cpuNanos();
        for (int i = 0; i < ROUNDS; i++) {
            ask(clients, 'm');
            answers(clients);
        }
        return (cpuNanos() - before) / 1000.0 / ((long) ROUNDS * CONNECTIONS);
    }

    private static long[] hits(List<Socket> clients) throws IOException {
        long[] waits = new long[BURSTS];
        Socket hit = clients.getLast();
        for (int i = 0; i < BURSTS; i++) {
            ask(clients, 'm');
            long sent = SystemClock.INSTANCE.nanos();
            hit.getOutputStream().write('h');
            read(hit);
            waits[i] = SystemClock.INSTANCE.nanos() - sent;
            answers(clients);
        }
        Arrays.sort(waits);
        return waits;
    }

    private static void ask(List<Socket> clients, int what) throws IOException {
        for (Socket s : clients.subList(0, CONNECTIONS)) {
            s.getOutputStream().write(what);
        }
    }

    private static void answers(List<Socket> clients) throws IOException {
        for (Socket s : clients.subList(0, CONNECTIONS)) {
            read(s);
        }
    }

    private static void read(Socket s) throws IOException {
        if (s.getInputStream().read() < 0) {
            throw new IOException("the server closed the connection");
        }
    }

    /** Of the kernel's threads. */
    private static long cpuNanos() {
        long sum = 0;
        for (ThreadInfo t : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
            if (t != null && t.getThreadName().contains("queue: 'weir.")) {
                sum += THREADS.getThreadCpuTime(t.getThreadId());
            }
        }
        return sum;
    }

    /** {@code h} is a hit, {@code m} a miss whose start takes as long as is said. */
    private static final class Misses implements Protocol {
        private static final ByteBuf ANSWER =
                Unpooled.unreleasableBuffer(Unpooled.copiedBuffer("x", StandardCharsets.US_ASCII));

        private final Kernel kernel;
        private volatile long startNanos;

        Misses(Kernel kernel) {
            this.kernel = kernel;
        }

        @Override
        public void install(Connection connection, ChannelPipeline pipeline) {
            pipeline.addLast("misses", new Handler(connection));
        }

        private final class Handler extends SimpleChannelInboundHandler<ByteBuf> {
            private final Connection connection;

            Handler(Connection connection) {
                this.connection = connection;
            }

            @Override
            protected void channelRead0(ChannelHandlerContext ctx, ByteBuf bytes) {
                connection.busy();
                if (bytes.getByte(bytes.readerIndex()) == 'h') {
                    kernel.connectionQueue().passed();
                    answer(ctx);
                } else {
                    kernel.connectionQueue().enter(connection.muxer().eventLoop(), new Miss(this, ctx));
                }
            }

            void answer(ChannelHandlerContext ctx) {
                kernel.keepAlive().reserve(connection);
                var _ = ctx.writeAndFlush(ANSWER.duplicate());
                connection.idle();
            }
        }

        private final class Miss implements ConnectionQueue.QueuedRequest {
            private final Handler handler;
            private final ChannelHandlerContext ctx;

            Miss(Handler handler, ChannelHandlerContext ctx) {
                this.handler = handler;
                this.ctx = ctx;
            }

            @Override
            public void start() {
                long until = SystemClock.INSTANCE.nanos() + startNanos;
                while (SystemClock.INSTANCE.nanos() < until) {
                    Thread.onSpinWait();
                }
                kernel.connectionQueue().finished(this);
                handler.answer(ctx);
            }

            @Override
            public void busy() {
                throw new IllegalStateException("busy");
            }

            @Override
            public boolean cancelled() {
                return false;
            }
        }
    }
}
