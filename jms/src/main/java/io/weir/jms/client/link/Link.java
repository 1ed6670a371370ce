package io.weir.jms.client.link;

import io.netty.buffer.ByteBuf;
import io.weir.jms.frames.BranchFrames;
import io.weir.jms.frames.BrokerFrames.BrowseDone;
import io.weir.jms.frames.BrokerFrames.ConnectionError;
import io.weir.jms.frames.BrokerFrames.ConsumerClosed;
import io.weir.jms.frames.BrokerFrames.OneWayFailed;
import io.weir.jms.frames.BrokerFrames.ReceiveDone;
import io.weir.jms.frames.BrokerFrames.Refused;
import io.weir.jms.frames.DeliverFrame;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.RefusalCode;
import io.weir.wire.FrameHandler;
import io.weir.wire.WireConnection;
import io.weir.wire.WireFault;
import io.weir.wire.WireFault.Reason;
import io.weir.wire.WireReader;
import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One connection to the broker, from login to its loss: dispatches arriving frames to their sessions and requests. An
 * application's connection uses one link after the other. Frames arrive on the loop; any thread can send frames and
 * requests.
 */
public final class Link implements FrameHandler {
    /** The creator of the link, notified of its end and of errors of the whole connection. */
    interface Owner {
        void lost(Link link, @Nullable Throwable cause);

        void error(RefusalCode code, String text);
    }

    private static final long WRITABLE_CHECK_NANOS = 50_000_000;
    /** Maximum time that a close waits for a server that does not answer. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private static final long CLOSED_CHECK_NANOS = 50_000_000;
    /**
     * The wire closes the connection at the latest after its own timeout; this bound only prevents a close from
     * hanging.
     */
    private static final long MOST_CHECKS = 2 * CLOSE_TIMEOUT.toNanos() / CLOSED_CHECK_NANOS;

    private final WireConnection wire;
    private final Owner owner;
    private final Requests requests = new Requests();
    private final Slots<StreamListener> sessions = new Slots<>();
    private final Queue<Thread> writers = new ConcurrentLinkedQueue<>();
    private final DeliverFrame deliver = new DeliverFrame();
    private final List<StreamListener> touched = new ArrayList<>();
    private volatile boolean closed;
    private volatile boolean ended;
    private volatile @Nullable Thread closer;

    Link(WireConnection wire, Owner owner) {
        this.wire = wire;
        this.owner = owner;
    }

    /** The connection below, with its version and limits. */
    public WireConnection wire() {
        return wire;
    }

    /** Whether it was closed or lost. */
    public boolean isClosed() {
        return closed;
    }

    /** Allocates a stream for the session. */
    public int attach(StreamListener session) {
        return sessions.add(session);
    }

    /** Frees the number if it is this session's. */
    public void detach(int stream, StreamListener session) {
        sessions.remove(stream, session);
    }

    /** Registers a request and assigns its number; the caller then writes it into a frame and sends that. */
    public <P extends Pending> P register(P pending) throws JMSException {
        requests.add(pending);
        return pending;
    }

    /** Removes a request that will not be sent. */
    public void forget(Pending pending) {
        requests.take(pending.request);
    }

    /** The pending request with this number. */
    @Nullable
    Pending pending(int request) {
        return requests.peek(request);
    }

    /** Runs a task on the loop after a while. */
    public void later(Runnable task, long nanos) {
        if (closed) {
            return;
        }
        try {
            var unused = wire.loop().schedule(task, nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // The loop has terminated, and with it the connection of the task.
            closed = true;
        }
    }

    /**
     * Creates a frame with its header; the caller fills and sends it, or releases it.
     *
     * @param sizeHint bytes of the payload
     */
    public ByteBuf frame(int type, int stream, int sizeHint) {
        return wire.newFrame(type, stream, sizeHint);
    }

    /** Sends a frame and takes ownership of it. */
    public void send(ByteBuf frame) {
        wire.send(frame);
    }

    /**
     * Waits until the connection is writable: without it one-way sends would fill the memory. A lost connection accepts
     * everything, and drops it.
     */
    public void awaitWritable() {
        if (wire.isWritable()) {
            return;
        }
        boolean interrupted = false;
        while (!wire.isWritable() && !closed) {
            writers.add(Thread.currentThread());
            if (!wire.isWritable() && !closed) {
                LockSupport.parkNanos(this, WRITABLE_CHECK_NANOS);
                interrupted |= Thread.interrupted();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void writable(boolean now) {
        for (Thread t = now ? writers.poll() : null; t != null; t = writers.poll()) {
            LockSupport.unpark(t);
        }
    }

    @Override
    public void frame(int type, int stream, ByteBuf payload) {
        switch (type) {
            case FrameType.DELIVER -> deliver(stream, payload);
            case FrameType.OK -> ok(payload);
            case FrameType.REFUSED -> refused(payload);
            case FrameType.RECEIVE_DONE -> {
                ReceiveDone done = ReceiveDone.read(payload);
                done(done.request(), done.count(), 0);
            }
            case FrameType.BROWSE_DONE -> {
                BrowseDone done = BrowseDone.read(payload);
                done(done.request(), done.count(), done.cursor());
            }
            case FrameType.BRANCH_DONE -> branchDone(BranchFrames.Done.read(payload));
            case FrameType.CONSUMER_CLOSED -> consumerClosed(stream, ConsumerClosed.read(payload));
            case FrameType.ONE_WAY_FAILED -> oneWayFailed(stream, OneWayFailed.read(payload));
            case FrameType.CONNECTION_ERROR -> {
                ConnectionError error = ConnectionError.read(payload);
                owner.error(error.code(), error.text());
            }
            default -> throw new WireFault(Reason.UNKNOWN_TYPE, "a frame of type " + FrameType.name(type));
        }
    }

    private void deliver(int stream, ByteBuf payload) {
        deliver.read(payload);
        if (deliver.browsed()) {
            Pending browse = requests.peek(deliver.consumer());
            if (browse != null) {
                browse.browsed(deliver, payload);
            }
            return;
        }
        StreamListener session = sessions.get(stream);
        if (session != null && session.delivered(deliver, payload) && !touched.contains(session)) {
            touched.add(session);
        }
    }

    private void ok(ByteBuf payload) {
        Pending pending = requests.take(WireReader.i32(payload));
        if (pending != null) {
            pending.ok(payload);
        }
    }

    private void refused(ByteBuf payload) {
        Refused refused = Refused.read(payload);
        Pending pending = requests.take(refused.request());
        if (pending != null) {
            pending.refused(refused.code(), refused.text());
        }
    }

    private void done(int request, int count, long cursor) {
        Pending pending = requests.take(request);
        if (pending != null) {
            pending.done(count, cursor);
        }
    }

    private void branchDone(BranchFrames.Done done) {
        Pending pending = requests.take(done.request());
        if (pending != null) {
            pending.branchDone(done);
        }
    }

    private void consumerClosed(int stream, ConsumerClosed closed) {
        StreamListener session = sessions.get(stream);
        if (session != null) {
            session.consumerClosed(closed.consumer(), closed.code(), closed.text());
        }
    }

    private void oneWayFailed(int stream, OneWayFailed failed) {
        StreamListener session = sessions.get(stream);
        if (session != null) {
            session.oneWayFailed(failed);
        }
    }

    @Override
    public void readComplete() {
        for (int i = 0; i < touched.size(); i++) {
            touched.get(i).arrived();
        }
        touched.clear();
    }

    /**
     * Announces the close and waits for the server to close the connection: it does so when the resources of the
     * connection, such as its client identifier and its consumers, are free. The wire closes it after the same time at
     * the latest.
     */
    void close() {
        closer = Thread.currentThread();
        wire.close(CLOSE_TIMEOUT);
        boolean interrupted = false;
        for (long i = 0; i < MOST_CHECKS && !ended && !wire.loop().inEventLoop(); i++) {
            LockSupport.parkNanos(this, CLOSED_CHECK_NANOS);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void closed(@Nullable Throwable cause) {
        closed = true;
        ended = true;
        LockSupport.unpark(closer);
        requests.fail(new JMSFailure(cause));
        writable(true);
        owner.lost(this, cause);
    }
}
