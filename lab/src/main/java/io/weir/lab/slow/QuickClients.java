package io.weir.lab.slow;

import io.weir.base.Clock;
import io.weir.lab.load.Answers;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Quick clients: each sends requests at regular times, regardless of the answers, and measures each answer from when
 * its request was due, so that a delayed client is late with all requests due in the meantime. A thread each. Lives for
 * one run.
 */
public final class QuickClients {
    private static final long LONGEST = TimeUnit.MINUTES.toNanos(10);

    /**
     * The parameters of a run.
     *
     * @param path to which a unique number is appended
     * @param perSecond requests that are due a second, of all clients together
     * @param requests total number
     * @param each requests on a connection before a new one is opened
     * @param patienceMillis time-out of a request
     */
    public record Plan(
            int port, String path, int clients, double perSecond, long requests, int each, int patienceMillis) {}

    /**
     * The result of a run.
     *
     * @param nanos times of the successful answers
     * @param errors requests without a successful answer
     * @param first of the errors; empty if there was none
     */
    public record Found(Histogram nanos, long errors, String first) {
        public long answers() {
            return nanos.getTotalCount();
        }

        /** Microseconds. */
        public double micros(double percentile) {
            return nanos.getValueAtPercentile(percentile) / 1000.0;
        }

        public double mostMicros() {
            return nanos.getMaxValue() / 1000.0;
        }
    }

    private final Plan plan;
    private final Clock clock;
    private final Histogram nanos = new ConcurrentHistogram(LONGEST, 3);
    private final Histogram failed = new ConcurrentHistogram(LONGEST, 3);
    private final AtomicReference<String> first = new AtomicReference<>("");

    private QuickClients(Plan plan, Clock clock) {
        this.plan = plan;
        this.clock = clock;
    }

    /** Runs the plan to its end. */
    public static Found run(Plan plan, Clock clock) throws InterruptedException {
        return new QuickClients(plan, clock).run();
    }

    private Found run() throws InterruptedException {
        long start = clock.nanos();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < plan.clients(); i++) {
            int number = i;
            threads.add(Thread.ofPlatform().daemon().name("quick client " + i).start(() -> client(number, start)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return new Found(nanos, failed.getTotalCount(), first.get());
    }

    /** Sends this client's share of the requests. */
    private void client(int number, long start) {
        double interval = TimeUnit.SECONDS.toNanos(1) / plan.perSecond();
        Connection connection = null;
        for (long i = number; i < plan.requests(); i += plan.clients()) {
            long due = start + (long) (i * interval);
            for (long wait = due - clock.nanos(); wait > 0; wait = due - clock.nanos()) {
                LockSupport.parkNanos(wait);
            }
            connection = ask(connection, i);
            (connection != null ? nanos : failed).recordValue(Math.clamp(clock.nanos() - due, 0, LONGEST));
            connection = connection != null && connection.used() ? connection.close() : connection;
        }
        if (connection != null) {
            connection.close();
        }
    }

    /** The connection, or null if there was no answer. */
    private @Nullable Connection ask(@Nullable Connection kept, long number) {
        Connection connection = kept;
        try {
            if (connection == null) {
                connection = new Connection();
            }
            connection.ask(number);
            return connection;
        } catch (IOException e) {
            first.compareAndSet("", e.toString());
            return connection == null ? null : connection.close();
        }
    }

    /** A connection of one client. Confined to its thread. */
    private final class Connection {
        private final Socket socket = new Socket();
        private final BufferedInputStream in;
        private int left = plan.each();

        Connection() throws IOException {
            try {
                socket.setTcpNoDelay(true);
                socket.setSoTimeout(plan.patienceMillis());
                socket.connect(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), plan.port()), plan.patienceMillis());
                in = new BufferedInputStream(socket.getInputStream());
            } catch (IOException e) {
                close();
                throw e;
            }
        }

        void ask(long number) throws IOException {
            String request = "GET " + plan.path() + number + " HTTP/1.1\r\nHost: localhost:" + plan.port() + "\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            left = Answers.readGood(in) ? left - 1 : 0;
        }

        boolean used() {
            return left <= 0;
        }

        /** Closes it and returns null: there is no connection any more. */
        @Nullable
        Connection close() {
            try {
                socket.close();
            } catch (IOException e) {
                first.compareAndSet("", e.toString());
            }
            return null;
        }
    }
}
