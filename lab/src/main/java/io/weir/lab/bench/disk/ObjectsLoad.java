package io.weir.lab.bench.disk;

import io.weir.base.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Requests of a list, in its order, on several connections: one after the other on each, or each when it is due. Lives
 * for one run.
 */
final class ObjectsLoad {
    private static final long MICRO = 1000;
    private static final long LONGEST = TimeUnit.MINUTES.toMicros(2);

    /** A load that hangs ends. */
    private static final long LIMIT = TimeUnit.MINUTES.toNanos(20);

    private final Clock clock;
    private final Plan plan;
    private final AtomicLong next = new AtomicLong();

    /**
     * What is requested.
     *
     * @param count of requests
     * @param perSecond at which requests are due, on whatever connection; 0: each after the one before it
     * @param paths by number
     */
    record Plan(int port, int connections, long count, double perSecond, LongFunction<String> paths) {}

    ObjectsLoad(Plan plan, Clock clock) {
        this.plan = plan;
        this.clock = clock;
    }

    Found run() throws InterruptedException, IOException {
        long begin = clock.nanos();
        List<Worker> workers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < plan.connections(); i++) {
                Worker worker = new Worker(begin);
                workers.add(worker);
                running.add(threads.submit(worker));
            }
            for (Future<?> each : running) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        }
        double seconds = (clock.nanos() - begin) / 1e9;
        Histogram times = new Histogram(LONGEST, 3);
        long disturbed = 0;
        long refused = 0;
        long bytes = 0;
        for (Worker each : workers) {
            times.add(each.times);
            disturbed += each.disturbed;
            refused += each.refused;
            bytes += each.bytes;
        }
        return new Found(
                times.getTotalCount(),
                seconds,
                disturbed,
                refused,
                bytes,
                times.getValueAtPercentile(50),
                times.getValueAtPercentile(99),
                times.getValueAtPercentile(99.9),
                times.getMaxValue());
    }

    private final class Worker implements Runnable {
        private final long begin;
        private final Histogram times = new Histogram(LONGEST, 3);
        private @Nullable ObjectConnection connection;
        private long disturbed;
        private long refused;
        private long bytes;

        Worker(long begin) {
            this.begin = begin;
        }

        @Override
        public void run() {
            for (long i = next.getAndIncrement();
                    i < plan.count() && clock.nanos() - begin < LIMIT;
                    i = next.getAndIncrement()) {
                request(i);
            }
            close();
        }

        private void request(long number) {
            long from = clock.nanos();
            if (plan.perSecond() > 0) {
                // an answer's time counts from when its request was due, so a server that stops is late for all of them
                long due = begin + (long) (number * 1e9 / plan.perSecond());
                while (due - clock.nanos() > 0) {
                    LockSupport.parkNanos(due - clock.nanos());
                }
                from = due;
            }
            try {
                ObjectConnection open = connection;
                if (open == null) {
                    open = ObjectConnection.open(plan.port());
                    connection = open;
                }
                ObjectConnection.Answer answer = open.get(plan.paths().apply(number));
                times.recordValue(Math.clamp((clock.nanos() - from) / MICRO, 0, LONGEST));
                bytes += answer.bytes();
                if (answer.status() != 200) {
                    refused++;
                }
                if ("close".equals(answer.field("connection"))) {
                    close();
                }
            } catch (IOException e) {
                disturbed++;
                close();
            }
        }

        private void close() {
            ObjectConnection open = connection;
            connection = null;
            if (open != null) {
                try {
                    open.close();
                } catch (IOException e) {
                    disturbed++;
                }
            }
        }
    }
}
