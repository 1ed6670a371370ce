package io.weir.wire;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A handler that records its callbacks, and answers frames of type 0x21 with their payload in a frame of type 0x22. */
public final class Recorder implements FrameHandler {
    public static final int ECHO = 0x21;
    public static final int ECHOED = 0x22;

    /** A frame as text. */
    public record Seen(int type, int stream, String payload) {}

    public final WireConnection connection;
    public final BlockingQueue<Seen> frames = new LinkedBlockingQueue<>();
    public final List<Boolean> writability = new CopyOnWriteArrayList<>();
    public final CompletableFuture<@Nullable Throwable> closed = new CompletableFuture<>();
    public final AtomicInteger reads = new AtomicInteger();

    public Recorder(WireConnection connection) {
        this.connection = connection;
    }

    @Override
    public void frame(int type, int stream, ByteBuf payload) {
        if (type == ECHO) {
            ByteBuf out = connection.newFrame(ECHOED, stream, 16);
            connection.send(out, payload);
        } else if (payload.toString(StandardCharsets.UTF_8).equals("provoke")) {
            throw new IllegalStateException("provoked");
        } else if (type >= 0x30) {
            throw new WireFault(WireFault.Reason.UNKNOWN_TYPE, "no type " + type);
        }
        frames.add(new Seen(type, stream, payload.toString(StandardCharsets.UTF_8)));
    }

    @Override
    public void readComplete() {
        reads.incrementAndGet();
    }

    @Override
    public void writable(boolean now) {
        writability.add(now);
    }

    @Override
    public void closed(@Nullable Throwable cause) {
        if (!closed.complete(cause)) {
            throw new IllegalStateException("closed twice");
        }
    }

    /** What the connection held is freed this much later; it then says so in {@link #freed}. */
    public volatile Duration freeing = Duration.ZERO;

    public volatile boolean freed;

    @Override
    public void whenFree(Runnable then) {
        var _ = connection
                .loop()
                .schedule(
                        () -> {
                            freed = true;
                            then.run();
                        },
                        freeing.toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    public Seen next() throws InterruptedException {
        Seen seen = frames.poll(3, TimeUnit.MINUTES);
        if (seen == null) {
            throw new AssertionError("no frame came");
        }
        return seen;
    }

    @Nullable
    public Throwable cause() {
        return closed.orTimeout(10, TimeUnit.SECONDS).join();
    }

    public void send(int type, int stream, String text) {
        ByteBuf out = connection.newFrame(type, stream, 16);
        out.writeCharSequence(text, StandardCharsets.UTF_8);
        connection.send(out);
    }
}
