package io.weir.kernel.queue;

import io.weir.base.Clock;
import io.weir.base.Counter;
import io.weir.base.Histogram;
import io.weir.base.LoadAverage;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.kernel.settings.KernelLimits;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.KernelStats;
import io.weir.kernel.work.RequestClass;
import io.weir.kernel.work.WorkManager;
import io.weir.kernel.work.WorkPlace;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAccumulator;
import org.jspecify.annotations.Nullable;

/**
 * The connection queue and the request throttle: a limited number of requests is handled at once, further requests with
 * a complete head wait in a bounded queue, and more are answered busy (the tuning guide, "Connection Queue
 * Information"). A request that only waits for its client, to send or to read a body, does not count as handled:
 * another request can use its slot. If request classes are configured, waiting requests are started in their order.
 * Cache hits pass without waiting. Shared by all muxers, without locks if no classes are configured.
 */
public final class ConnectionQueue {
    private final KernelLimits limits;
    private final Clock clock;
    private final Log log;
    private volatile WorkPlace standard;
    private volatile boolean ordered;
    private volatile WaitingRequests waiting;
    /** Of each muxer, as many as there are. */
    private final ConcurrentMap<Executor, HandOver> handOvers = new ConcurrentHashMap<>();

    private final AtomicInteger length = new AtomicInteger();
    private final AtomicInteger active = new AtomicInteger();
    private final LongAccumulator peak = new LongAccumulator(Math::max, 0);
    private final LongAccumulator peakActive = new LongAccumulator(Math::max, 0);
    private final LoadAverage lengthAverage = new LoadAverage(1);
    private final ModeRule rule;
    private final Counter total;
    private final Counter ticks;
    private final Counter overflows;
    private final Counter timeOuts;
    private final Counter cancelled;
    private final Histogram delay;

    /**
     * Creates a queue.
     *
     * @param work the work manager of requests that name none
     * @param ordered whether there are request classes
     */
    public ConnectionQueue(KernelLimits limits, Clock clock, Stats stats, Log log, WorkManager work, boolean ordered) {
        this.limits = limits;
        this.clock = clock;
        this.log = log;
        this.standard = new WorkPlace(work, RequestClass.DEFAULT);
        this.ordered = ordered;
        this.waiting = ordered ? new WaitingRequests.ByClass() : new WaitingRequests.Plain();
        this.rule = new ModeRule(limits, stats, log);
        this.total = stats.counter(KernelStats.QUEUED_TOTAL);
        this.ticks = stats.counter(KernelStats.QUEUE_TICKS);
        this.overflows = stats.counter(KernelStats.QUEUE_OVERFLOWS);
        this.timeOuts = stats.counter(KernelStats.QUEUE_TIMEOUTS);
        this.cancelled = stats.counter(KernelStats.QUEUE_CANCELLED);
        this.delay = stats.histogram(KernelStats.QUEUE_DELAY);
        stats.gauge(KernelStats.QUEUE_LENGTH, this::length);
        stats.gauge(KernelStats.QUEUE_PEAK, this::peak);
        stats.gauge(KernelStats.QUEUE_LIMIT, this::limit);
        stats.gauge(KernelStats.REQUESTS_ACTIVE, this::active);
        stats.gauge(KernelStats.REQUESTS_THROTTLE, limits::throttle);
        stats.gauge(KernelStats.HIGH_CONCURRENCY, () -> mode() == Mode.HIGH_CONCURRENCY ? 1 : 0);
    }

    /** Applies a change of work managers or request classes; waiting requests keep waiting, in the new order. */
    public void configure(WorkManager work, boolean byClass) {
        standard = new WorkPlace(work, RequestClass.DEFAULT);
        if (byClass != ordered) {
            WaitingRequests before = waiting;
            waiting = byClass ? new WaitingRequests.ByClass() : new WaitingRequests.Plain();
            ordered = byClass;
            move(before);
        }
    }

    private void move(WaitingRequests from) {
        for (WaitingRequest w = from.poll(); w != null; w = from.poll()) {
            waiting.add(w);
        }
        startWaiting();
    }

    /** A request whose head is complete. Its methods are called on the connection's muxer, unless stated otherwise. */
    public interface QueuedRequest {
        /**
         * A slot is free: handles the request. {@link ConnectionQueue#finished} must be called exactly once, when the
         * request waits for nothing but its client; before that, {@link ConnectionQueue#lent} may be called while it
         * waits for its client.
         */
        void start();

        /** No slot, and no room to wait or none within the time-out: answer 503 with Retry-After. */
        void busy();

        /** Whether its client has disconnected, so that it need not be started. May be called by any thread. */
        boolean cancelled();

        /**
         * The work manager and class in which it runs; null for the defaults. Must be constant until it has finished.
         */
        default @Nullable WorkPlace place() {
            return null;
        }
    }

    /**
     * Starts the request immediately, or queues it, or answers busy. In high-concurrency mode the start passes through
     * a thread of its work manager.
     *
     * @param muxer the event loop of the request's connection, on which this is called
     */
    public void enter(Executor muxer, QueuedRequest r) {
        WorkPlace place = place(r);
        if (limits.poolDisabled()) {
            total.inc();
            acquireUnbounded();
            r.start();
        } else if (length.get() == 0 && acquire()) {
            total.inc();
            start(muxer, r);
        } else if (room()) {
            total.inc();
            WaitingRequests room = waiting;
            room.add(new WaitingRequest(muxer, r, place, clock.nanos()));
            if (room.equals(waiting)) {
                startWaiting();
            } else {
                move(room);
            }
        } else {
            overflows.inc();
            log.log(KernelMessages.QUEUE_FULL, limits.queueCapacity());
            r.busy();
        }
    }

    private WorkPlace place(QueuedRequest r) {
        WorkPlace place = r.place();
        return place == null ? standard : place;
    }

    /** A started request has finished: starts the next waiting one. Callable from any thread. */
    public void finished(QueuedRequest r) {
        done(r);
        freed();
    }

    private void done(QueuedRequest r) {
        WorkPlace place = place(r);
        if (ordered) {
            place.manager().service(place.requestClass()).done();
        }
    }

    /**
     * A started request waits for its client: another one may use its slot. {@link #resumed} or {@link #left} must
     * follow. Call on the connection's muxer.
     */
    public void lent() {
        freed();
    }

    /**
     * The client of a request that had lent its slot continues. The request gets a slot immediately, above the throttle
     * if none is free: its origin already has the request's head, and delaying the request would hold up the origin.
     * Call on the connection's muxer.
     */
    public void resumed() {
        acquireUnbounded();
    }

    /** A request whose slot was lent has finished. Callable from any thread. */
    public void left(QueuedRequest r) {
        done(r);
    }

    private void freed() {
        active.decrementAndGet();
        startWaiting();
    }

    /** Counts a cache hit that was answered on the muxer without waiting. */
    public void passed() {
        total.inc();
    }

    private void start(Executor muxer, QueuedRequest r) {
        if (rule.mode() == Mode.LOW_LATENCY) {
            r.start();
        } else {
            handOvers
                    .computeIfAbsent(muxer, m -> new HandOver(m, this::refused))
                    .add(place(r), r);
        }
    }

    private void refused(QueuedRequest r) {
        overflows.inc();
        freed();
        r.busy();
    }

    private boolean acquire() {
        int limit = limits.throttle();
        int n = active.get();
        while (n < limit) {
            if (active.compareAndSet(n, n + 1)) {
                peakActive.accumulate(n + 1);
                return true;
            }
            n = active.get();
        }
        return false;
    }

    private void acquireUnbounded() {
        peakActive.accumulate(active.incrementAndGet());
    }

    private boolean room() {
        int n = length.incrementAndGet();
        if (n > limits.queueCapacity()) {
            length.decrementAndGet();
            return false;
        }
        peak.accumulate(n);
        return true;
    }

    /**
     * Gives free slots to waiting requests. Called after every release of a slot and every addition to the queue, so
     * that no request is left waiting.
     */
    private void startWaiting() {
        while (!waiting.isEmpty() && acquire()) {
            WaitingRequest w = waiting.poll();
            if (w == null || !w.claim()) {
                active.decrementAndGet();
            } else {
                leave(w);
            }
        }
    }

    private void leave(WaitingRequest w) {
        length.decrementAndGet();
        long waited = Math.max(0, clock.nanos() - w.since());
        w.muxer().execute(() -> begin(w, waited));
    }

    private void begin(WaitingRequest w, long waited) {
        if (w.request().cancelled()) {
            cancelled.inc();
            freed();
            return;
        }
        if (ordered) {
            w.place().manager().service(w.place().requestClass()).waited(waited);
        }
        delayed(waited);
        start(w.muxer(), w.request());
    }

    private void delayed(long nanos) {
        ticks.add(nanos / 1000);
        delay.record(nanos);
    }

    /**
     * Called once a second: updates averages and the mode, and removes requests whose client disconnected or whose time
     * is over.
     */
    public void second() {
        long longest = limits.config().connectionQueue().timeOut().toNanos();
        long now = clock.nanos();
        waiting.removeIf(w -> overdue(w, now, longest));
        lengthAverage.sample(length());
        rule.second(active(), length());
    }

    private boolean overdue(WaitingRequest w, long now, long longest) {
        boolean left = w.request().cancelled();
        if ((!left && now - w.since() < longest) || !w.claim()) {
            return false;
        }
        length.decrementAndGet();
        if (left) {
            cancelled.inc();
        } else {
            timeOuts.inc();
            // requests that timed out waited too: otherwise an overload would show no delay
            delayed(now - w.since());
            w.muxer().execute(w.request()::busy);
        }
        return true;
    }

    /** The current mode. */
    public Mode mode() {
        return rule.mode();
    }

    /** Number of waiting requests. */
    public int length() {
        return Math.max(0, length.get());
    }

    /** Peak number of waiting requests. */
    public int peak() {
        return (int) peak.get();
    }

    /** Queue size plus maximum threads plus keep-alive size: the limit that perfdump shows. */
    public int limit() {
        return limits.displayedQueueLimit();
    }

    /** Maximum number of waiting requests. */
    public int capacity() {
        return limits.queueCapacity();
    }

    /** Number of requests that passed, including those that did not wait. */
    public long total() {
        return total.value();
    }

    /** Total time that requests spent waiting, in ticks of a microsecond. */
    public long ticks() {
        return ticks.value();
    }

    /** Ticks per second: stats-xml's ticksPerSecond. */
    public static long ticksPerSecond() {
        return 1_000_000;
    }

    /** Average of the queue's length over one, five and fifteen minutes. */
    public LoadAverage averageLength() {
        return lengthAverage;
    }

    /** Average wait in milliseconds, including requests that did not wait. */
    public double averageDelayMillis() {
        return ticks() / (double) Math.max(1, total()) / ticksPerSecond() * 1000;
    }

    /** Number of requests answered busy. */
    public long overflows() {
        return overflows.value();
    }

    /** Number of requests being handled: the Sun proxy's active sessions. */
    public int active() {
        return Math.max(0, active.get());
    }

    /** Peak number of requests handled at once: the Sun proxy's sessions created. */
    public int peakActive() {
        return (int) peakActive.get();
    }

    /** Maximum number of requests handled at once: the Sun proxy's maximum threads. */
    public int throttle() {
        return limits.throttle();
    }
}
