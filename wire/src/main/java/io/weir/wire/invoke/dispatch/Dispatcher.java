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
 * The server's end of remote invocation: checks what calls say, and executes those that may be on threads of its own, a
 * bounded number at once with a bounded number waiting. Shared by all connections; lives as long as the server.
 */
public final class Dispatcher implements AutoCloseable {
    /**
     * The bounds.
     *
     * @param concurrent calls that run at once
     * @param waiting calls that may wait; more are refused as busy
     * @param bytes longest arguments, and longest result, of one call
     * @param window answers that are kept for requests that come again
     */
    public record Limits(int concurrent, int waiting, int bytes, int window) {
        /** Arguments of all waiting calls together, as many times the longest of one. */
        private static final long TOGETHER = 64;

        /** 64 calls at once, 1,000 waiting, 1 MiB, 10,000 answers. */
        public static final Limits DEFAULT = new Limits(64, 1000, 1 << 20, 10_000);

        long allBytes() {
            return bytes * TOGETHER;
        }
    }

    /** What a dispatcher is made of besides its bounds. */
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

    /** Its frames on a server's connections. */
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

    /** Makes a call wait for its turn; false when it cannot. */
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

    /** A call's arguments wait no longer. */
    void begun(int bytes) {
        waitingBytes.addAndGet(-bytes);
    }

    void ended(RunningCall call) {
        calls.remove(call);
    }

    /** A caller gave up: a call that still waits is not begun. */
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

    /** Calls that wait are refused; those that run go on, and their answers are sent while connections are there. */
    @Override
    public void close() {
        closed = true;
        threads.shutdown();
        for (RunningCall call : calls) {
            if (threads.remove(call)) {
                call.refuse(Code.STOPPING, "the member stops");
            }
        }
    }
}
