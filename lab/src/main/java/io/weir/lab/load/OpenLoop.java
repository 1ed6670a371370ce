package io.weir.lab.load;

import io.weir.base.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Requests one URL at a steady rate on kept connections, regardless of the answers, and measures each answer from when
 * its request was due: a server that stalls for a second is late for all requests due in it (no coordinated omission).
 * One thread, which spins and yields. Confined to its caller's thread.
 */
public final class OpenLoop {
    private static final long LONGEST = TimeUnit.SECONDS.toNanos(60);
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);

    /**
     * The parameters of a run.
     *
     * @param perSecond requests that are due a second
     * @param streams 0: HTTP/1.1 with a request at a time on each connection; otherwise HTTP/2 under TLS with at most so
     *     many on each
     */
    public record Plan(int port, String path, double perSecond, double seconds, int connections, int streams) {}

    /**
     * The result of a run.
     *
     * @param nanos of each answer, from when its request was due
     * @param late how late the load came to each request, whether or not a connection was free: its own delay, which
     *     is part of {@code nanos}
     * @param busy the share of the time in which there was something to send or to read
     * @param unanswered requests without an answer within the time-out
     */
    public record Found(Histogram nanos, Histogram late, double busy, long unanswered) {}

    private final Plan plan;
    private final Clock clock;
    /** Each connection as often as a request may be sent on it; the one that has waited longest is first. */
    private final Deque<OpenLoopConnection> free = new ArrayDeque<>();

    private final List<OpenLoopConnection> all = new ArrayList<>();
    private final Histogram nanos = new Histogram(LONGEST, 3);
    private final Histogram late = new Histogram(LONGEST, 3);
    private long start;
    /** Requests that the load came to when they were due; some may wait for a connection. */
    private long reached;

    private long sent;
    private long answered;

    private OpenLoop(Plan plan, Clock clock) {
        this.plan = plan;
        this.clock = clock;
    }

    /** Runs the plan. */
    public static Found run(Plan plan, Clock clock) throws IOException {
        return new OpenLoop(plan, clock).run();
    }

    private Found run() throws IOException {
        try (Selector selector = Selector.open()) {
            for (int i = 0; i < plan.connections(); i++) {
                all.add(
                        plan.streams() == 0
                                ? OpenLoopHttp1.open(plan.port(), plan.path(), selector)
                                : OpenLoopHttp2.open(plan.port(), plan.path(), plan.streams(), selector));
            }
            for (int i = 0; i < all.getFirst().room(); i++) {
                free.addAll(all);
            }
            long count = Math.round(plan.perSecond() * plan.seconds());
            double busy = ask(selector, count);
            return new Found(nanos, late, busy, count - answered);
        } finally {
            for (OpenLoopConnection connection : all) {
                connection.close();
            }
        }
    }

    /** Returns the share of the time that was needed. */
    private double ask(Selector selector, long count) throws IOException {
        double interval = TimeUnit.SECONDS.toNanos(1) / plan.perSecond();
        start = clock.nanos();
        long end = start + (long) (interval * count) + PATIENCE;
        long needed = 0;
        long now = start;
        while (answered < count) {
            long begun = now;
            boolean worked = send(interval, count, begun);
            worked |= selector.selectNow(this::read) > 0;
            if (!worked) {
                if (begun - end > 0) {
                    break;
                }
                others();
            }
            now = clock.nanos();
            needed += worked ? now - begun : 0;
        }
        return (double) needed / Math.max(1, now - start);
    }

    /** Lets an origin on the same processor run. Sleeping would be more than that: a request is sent when it is due. */
    @SuppressWarnings("ThreadPriorityCheck") // that the scheduler prefers others is what is wanted
    private static void others() {
        Thread.yield();
    }

    private boolean send(double interval, long count, long now) throws IOException {
        for (; reached < count && due(reached, interval) - now <= 0; reached++) {
            late.recordValue(Math.min(now - due(reached, interval), LONGEST));
        }
        boolean worked = false;
        while (sent < reached && !free.isEmpty()) {
            free.removeFirst().ask(due(sent, interval));
            sent++;
            worked = true;
        }
        return worked;
    }

    private long due(long request, double interval) {
        return start + (long) (request * interval);
    }

    private void read(SelectionKey key) {
        try {
            ((OpenLoopConnection) key.attachment()).read(this::answered);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void answered(OpenLoopConnection from, long due) {
        nanos.recordValue(Math.clamp(clock.nanos() - due, 0, LONGEST));
        answered++;
        free.addLast(from);
    }
}
