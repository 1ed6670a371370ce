package io.weir.wire.invoke.dispatch;

import io.weir.base.Clock;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.wire.FrameRoutes;
import io.weir.wire.WireConnection;
import io.weir.wire.WireMessages;
import io.weir.wire.invoke.InvocationFault.Code;
import io.weir.wire.invoke.InvokeFrame;
import io.weir.wire.invoke.InvokeStats;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The server's end of remote invocation: checks calls, and executes permitted ones on its own threads, a bounded number
 * at once with a bounded number waiting. Shared by all connections; lives as long as the server.
 */
public final class Dispatcher implements AutoCloseable {
    /**
     * The limits.
     *
     * @param concurrent maximum of running calls
     * @param waiting maximum of waiting calls; more are refused as busy
     * @param bytes maximum size of the arguments, and of the result, of one call
     * @param window number of responses kept for repeated requests
     */
    public record Limits(int concurrent, int waiting, int bytes, int window) {
        /** Limit of the arguments of all waiting calls together, as a multiple of that of one call. */
        private static final long TOGETHER = 64;

        /** 64 calls at once, 1,000 waiting, 1 MiB, 10,000 responses. */
        public static final Limits DEFAULT = new Limits(64, 1000, 1 << 20, 10_000);

        long allBytes() {
            return bytes * TOGETHER;
        }
    }

    /** A dispatcher's collaborators. */
    public record Parts(Owners owners, Access access, Clock clock, Stats stats, Log log) {}

    private final Limits limits;
    private final Parts parts;
    private final InvokeStats stats;
    private final RequestWindow window;
    private final ThreadPoolExecutor threads;
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger named = new AtomicInteger();
    private final AtomicLong waitingBytes = new AtomicLong();
    private final Set<RunningCall> calls = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    public Dispatcher(Limits limits, Parts parts) {
        this.limits = limits;
        this.parts = parts;
        this.stats = new InvokeStats(parts.stats());
        this.window = new RequestWindow(limits.window());
        BlockingQueue<Runnable> queue =
                limits.waiting() == 0 ? new SynchronousQueue<>() : new LinkedBlockingQueue<>(limits.waiting());
        this.threads = new ThreadPoolExecutor(
                limits.concurrent(), limits.concurrent(), 30, TimeUnit.SECONDS, queue, this::thread);
        threads.allowCoreThreadTimeOut(true);
        parts.stats().gauge(InvokeStats.RUNNING, running::get);
        parts.stats().gauge(InvokeStats.WAITING, () -> threads.getQueue().size());
        parts.stats().gauge(InvokeStats.REMEMBERED, window::remembered);
    }

    private Thread thread(Runnable work) {
        Thread t = new Thread(work, "ExecuteThread: '" + named.getAndIncrement() + "' for queue: 'weir.cluster.Calls'");
        t.setDaemon(true);
        return t;
    }

    /** The route of its frames on a server's connections. */
    public FrameRoutes.Route route() {
        return new FrameRoutes.Route(
                InvokeFrame.FIRST, InvokeFrame.LAST, false, connection -> new CallerConnection(this, connection));
    }

    Parts parts() {
        return parts;
    }

    Limits limits() {
        return limits;
    }

    InvokeStats stats() {
        return stats;
    }

    RequestWindow window() {
        return window;
    }

    AtomicInteger running() {
        return running;
    }

    /** Queues a call; returns false if there is no room. */
    boolean submit(RunningCall call, int bytes) {
        if (closed || waitingBytes.addAndGet(bytes) > limits.allBytes()) {
            begun(closed ? 0 : bytes);
            return false;
        }
        calls.add(call);
        try {
            threads.execute(call);
            return true;
        } catch (RejectedExecutionException e) {
            ended(call);
            begun(bytes);
            parts.log().log(WireMessages.CALL_REFUSED, call.toString(), e);
            return false;
        }
    }

    /** Releases the bytes of a call that no longer waits. */
    void begun(int bytes) {
        waitingBytes.addAndGet(-bytes);
    }

    void ended(RunningCall call) {
        calls.remove(call);
    }

    /** Handles a cancelled call: if it still waits, it is not begun. */
    void cancel(WireConnection connection, long origin, long request) {
        for (RunningCall call : calls) {
            if (call.is(connection, origin, request) && call.cancel()) {
                threads.remove(call);
            }
        }
    }

    boolean isClosed() {
        return closed;
    }

    /** Refuses waiting calls; running ones continue, and their responses are sent while connections are open. */
    @Override
    public void close() {
        closed = true;
        threads.shutdown();
        for (RunningCall call : calls) {
            if (threads.remove(call)) {
                call.refuse(Code.STOPPING, "the member is stopping");
            }
        }
    }
}
