package io.weir.kernel;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.SimpleChannelInboundHandler;
import io.weir.kernel.connection.Connection;
import io.weir.kernel.connection.Protocol;
import io.weir.kernel.connection.SessionStatus;
import io.weir.kernel.queue.ConnectionQueue;
import io.weir.kernel.work.WorkPlace;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A protocol of lines for tests: every line passes the connection queue and is answered by itself. {@code hit …} passes
 * without waiting, {@code hold …} is answered when the test calls {@link #release}, {@code big n} is answered by n bytes,
 * {@code file path} by the bytes of a file, {@code throw} fails.
 */
public final class EchoProtocol implements Protocol {
    private static final long PART = 256 << 10;

    private final Kernel kernel;
    private final List<Connection> connections = new CopyOnWriteArrayList<>();
    private final List<Runnable> held = new CopyOnWriteArrayList<>();
    private final List<String> startedOn = new CopyOnWriteArrayList<>();
    private final List<String> started = new CopyOnWriteArrayList<>();
    private volatile boolean parkEarly;
    private volatile Function<String, @Nullable WorkPlace> places = _ -> null;
    private volatile Function<Connection, String> answerSuffix = _ -> "";

    public EchoProtocol(Kernel kernel) {
        this.kernel = kernel;
    }

    @Override
    public String name() {
        return "echo";
    }

    @Override
    public void install(Connection connection, ChannelPipeline pipeline) {
        connections.add(connection);
        pipeline.addLast(new Handler(connection));
    }

    /** Connections in the order of their installation. */
    public List<Connection> connections() {
        return connections;
    }

    /** Makes answers park their connection before they are sent, as an eager protocol may. */
    public void parkEarly() {
        parkEarly = true;
    }

    /** Says where lines run. */
    public void place(Function<String, @Nullable WorkPlace> line) {
        places = line;
    }

    /** Lines that were started, in this order. */
    public List<String> started() {
        return started;
    }

    /** Connections that idle. */
    public long parked() {
        return connections.stream()
                .filter(c -> c.state().status() == SessionStatus.KEEP_ALIVE)
                .count();
    }

    /** Lines that wait to be released. */
    public int held() {
        return held.size();
    }

    /** Names of the threads on which requests were started. */
    public List<String> startedOn() {
        return startedOn;
    }

    /** Appended to each answer. */
    public void answerWith(Function<Connection, String> suffix) {
        answerSuffix = suffix;
    }

    /** Answers the line that was held first. */
    public void release() {
        held.removeFirst().run();
    }

    private final class Handler extends SimpleChannelInboundHandler<ByteBuf> {
        private final Connection connection;
        private final Queue<String> lines = new ArrayDeque<>();
        private final StringBuilder partial = new StringBuilder();
        private boolean active;

        Handler(Connection connection) {
            this.connection = connection;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, ByteBuf bytes) {
            if (!active) {
                connection.busy();
            }
            partial.append(bytes.toString(StandardCharsets.US_ASCII));
            for (int nl = partial.indexOf("\n"); nl >= 0; nl = partial.indexOf("\n")) {
                lines.add(partial.substring(0, nl));
                partial.delete(0, nl + 1);
            }
            next(ctx);
        }

        private void next(ChannelHandlerContext ctx) {
            String line = active ? null : lines.poll();
            if (line == null) {
                return;
            }
            active = true;
            connection.busy();
            connection.state().begin("LINE", line, "test", kernel.clock().nanos());
            if (line.equals("throw")) {
                throw new IllegalStateException("asked to");
            }
            if (line.startsWith("hit")) {
                kernel.connectionQueue().passed();
                answer(ctx, line + "\n", null);
            } else {
                kernel.connectionQueue().enter(connection.muxer().eventLoop(), new Line(ctx, line));
            }
        }

        /** In parts, as long as one that is sent at a time. */
        private static void answerFromFile(ChannelHandlerContext ctx, File file) {
            for (long at = 0; at < file.length(); at += PART) {
                var _ = ctx.write(new DefaultFileRegion(file, at, Math.min(PART, file.length() - at)));
            }
            ctx.flush();
        }

        private void answer(ChannelHandlerContext ctx, String text, @Nullable Line entered) {
            boolean keep = kernel.keepAlive().reserve(connection);
            String all = text.substring(0, text.length() - 1) + answerSuffix.apply(connection) + (keep ? "" : " close")
                    + "\n";
            var written = ctx.writeAndFlush(Unpooled.copiedBuffer(all, StandardCharsets.US_ASCII));
            if (entered != null) {
                kernel.connectionQueue().finished(entered);
            }
            active = false;
            if (!keep) {
                written.addListener(ChannelFutureListener.CLOSE);
            } else {
                if (parkEarly) {
                    answered(ctx);
                } else {
                    written.addListener(_ -> answered(ctx));
                }
                next(ctx);
            }
        }

        /** Idle only once the client has the answer: a slow reader is not idle. */
        private void answered(ChannelHandlerContext ctx) {
            if (!active && lines.isEmpty() && !connection.idle()) {
                var _ = ctx.close();
            }
        }

        private final class Line implements ConnectionQueue.QueuedRequest {
            private final ChannelHandlerContext ctx;
            private final String line;

            Line(ChannelHandlerContext ctx, String line) {
                this.ctx = ctx;
                this.line = line;
            }

            @Override
            public void start() {
                started.add(line);
                startedOn.add(Thread.currentThread().getName());
                if (line.startsWith("hold")) {
                    held.add(() -> ctx.executor().execute(() -> answer(ctx, line + "\n", this)));
                } else if (line.startsWith("big ")) {
                    answer(ctx, "x".repeat(Integer.parseInt(line.substring(4)) - 1) + "\n", this);
                } else if (line.startsWith("file ")) {
                    answerFromFile(ctx, new File(line.substring(5)));
                } else {
                    answer(ctx, line + "\n", this);
                }
            }

            @Override
            public @Nullable WorkPlace place() {
                return places.apply(line);
            }

            @Override
            public void busy() {
                answer(ctx, "busy\n", null);
            }

            @Override
            public boolean cancelled() {
                return !connection.channel().isActive();
            }
        }
    }
}
