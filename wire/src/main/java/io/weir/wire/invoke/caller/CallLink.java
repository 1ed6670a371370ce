package io.weir.wire.invoke.caller;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.wire.FrameHandler;
import io.weir.wire.LostConnection;
import io.weir.wire.WireConnection;
import io.weir.wire.WireFault;
import io.weir.wire.WireFrame;
import io.weir.wire.WireReader;
import io.weir.wire.invoke.CallHead;
import io.weir.wire.invoke.InvocationFault;
import io.weir.wire.invoke.InvokeFrame;
import io.weir.wire.naming.Naming;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A connection to one member, shared by all calls to it and by naming lookups. The number of outstanding calls is
 * bounded. It closes itself after some time without requests. Shared by the calling threads; its frames arrive on the
 * connection's loop.
 */
final class CallLink implements FrameHandler {
    private static final int LONGEST_TEXT = 4096;

    private final WireConnection connection;
    private final Naming naming;
    private final Runnable ended;
    private final int most;
    private final long idleNanos;
    private final Map<Long, CompletableFuture<CallAnswer>> waiting = new ConcurrentHashMap<>();
    /** Users of this link; negative once it closes, so that it gets no new users. */
    private final AtomicInteger users = new AtomicInteger();

    private final AtomicLong received = new AtomicLong();
    private final AtomicBoolean probing = new AtomicBoolean();
    private volatile boolean used = true;
    private volatile boolean silent;
    private volatile @Nullable Throwable closed;

    /**
     * A link over a connection that is logged in.
     *
     * @param most maximum of concurrent users
     * @param ended called once when the connection is closed
     */
    CallLink(WireConnection connection, int most, long idleNanos, Runnable ended) {
        this.connection = connection;
        this.naming = new Naming(connection);
        this.ended = ended;
        this.most = most;
        this.idleNanos = idleNanos;
        watch();
    }

    private void watch() {
        var unused = connection.loop().schedule(this::closeWhenIdle, idleNanos, TimeUnit.NANOSECONDS);
    }

    private void closeWhenIdle() {
        if (closed != null) {
            return;
        }
        if (!used && users.compareAndSet(0, Integer.MIN_VALUE / 2)) {
            connection.close();
            return;
        }
        used = false;
        watch();
    }

    /** The result of {@link #take}. */
    enum Place {
        TAKEN,
        FULL,
        CLOSING
    }

    /** Takes a place, to be returned by {@link #release}. */
    Place take() {
        used = true;
        int before = users.getAndUpdate(n -> n < 0 || n >= most ? n : n + 1);
        return before < 0 || closed != null ? Place.CLOSING : before >= most ? Place.FULL : Place.TAKEN;
    }

    void release() {
        used = true;
        users.getAndUpdate(n -> n < 0 ? n : n - 1);
    }

    boolean isOpen() {
        return closed == null && users.get() >= 0;
    }

    WireConnection connection() {
        return connection;
    }

    Naming naming() {
        return naming;
    }

    /** Sends a call; the result completes on the connection's loop. */
    CompletableFuture<CallAnswer> call(CallHead head, ByteBuf arguments) {
        CompletableFuture<CallAnswer> answer = new CompletableFuture<>();
        waiting.put(head.request(), answer);
        ByteBuf out = connection.newFrame(InvokeFrame.CALL.code(), 0, 128 + arguments.readableBytes());
        head.write(out);
        out.writeBytes(arguments, arguments.readerIndex(), arguments.readableBytes());
        connection.send(out);
        Throwable cause = closed;
        if (cause != null) {
            answer.complete(new CallAnswer.Lost(cause));
        }
        return answer;
    }

    /** Cancels a call whose response is no longer waited for. */
    void cancel(CallHead head) {
        if (waiting.remove(head.request()) != null) {
            ByteBuf out = connection.newFrame(InvokeFrame.CANCEL.code(), 0, 16);
            out.writeLong(head.origin()).writeLong(head.request());
            connection.send(out);
        }
    }

    /** Number of frames received so far: shows waiting callers whether the member is alive. */
    long received() {
        return received.get();
    }

    /**
     * Sends the member a request that is cheap and needs none of its threads, unless the previous one has not been
     * answered.
     */
    void probe(String service) {
        if (probing.compareAndSet(false, true)) {
            var unused = naming.lookup(service).whenComplete((unusedResult, unusedFailure) -> probing.set(false));
        }
    }

    /**
     * Marks the member as silent because it did not answer a probe in time: other members are queried before it until
     * it sends something.
     */
    void silent() {
        silent = true;
    }

    boolean isSilent() {
        return silent;
    }

    @Override
    public void frame(int type, int stream, ByteBuf payload) {
        received.incrementAndGet();
        silent = false;
        if (type <= WireFrame.LAST_OF_NAMING) {
            naming.frame(type, stream, payload);
            return;
        }
        InvokeFrame frame = InvokeFrame.of(type);
        long request = WireReader.i64(payload);
        if (frame == null) {
            throw unknown(type);
        }
        CallAnswer answer = switch (frame) {
            case RESULT -> new CallAnswer.Result(Unpooled.copiedBuffer(payload));
            case FAILED -> failed(payload);
            case WRONG_OWNER -> wrongOwner(payload);
            case CALL, CANCEL -> throw unknown(type);
        };
        CompletableFuture<CallAnswer> waits = waiting.remove(request);
        if (waits != null) {
            waits.complete(answer);
        }
    }

    private static WireFault unknown(int type) {
        return new WireFault(WireFault.Reason.UNKNOWN_TYPE, "not a response to a call: 0x" + Integer.toHexString(type));
    }

    private static CallAnswer failed(ByteBuf in) {
        InvocationFault.Code code = InvocationFault.Code.of(WireReader.u8(in));
        return new CallAnswer.Failed(code, WireReader.varint(in), WireReader.text(in, LONGEST_TEXT));
    }

    private static CallAnswer wrongOwner(ByteBuf in) {
        return new CallAnswer.WrongOwner(WireReader.optionalText(in, LONGEST_TEXT), CallHead.fence(in));
    }

    @Override
    public void closed(@Nullable Throwable cause) {
        Throwable why = cause == null ? new LostConnection("the connection was closed") : cause;
        closed = why;
        naming.closed(why);
        ended.run();
        for (Long request : List.copyOf(waiting.keySet())) {
            CompletableFuture<CallAnswer> waits = waiting.remove(request);
            if (waits != null) {
                waits.complete(new CallAnswer.Lost(why));
            }
        }
    }
}
