package io.weir.lab.cluster;

import io.weir.base.SystemClock;
import io.weir.lab.history.LeaseHistory;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One for each member, who asks it again and again who holds the lease of what counts, by linearizable reads, all at once; what
 * it answers goes into the history. One that does not answer is asked again. Each has a thread of its own; they end with this.
 */
final class Observers implements AutoCloseable {
    private static final Pattern HELD =
            Pattern.compile("\"lease\"\\s*:\\s*\"singleton/counting\"[^}]*\"fence\"\\s*:\\s*\"(\\d+)\\.(\\d+)\"");

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Fleet fleet;
    private final LeaseHistory history;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong unanswered = new AtomicLong();
    private volatile boolean on = true;

    Observers(Fleet fleet, LeaseHistory history) {
        this.fleet = fleet;
        this.history = history;
        for (int i = 0; i < fleet.names().size(); i++) {
            String member = fleet.names().get(i);
            long process = 1_000_000L + i;
            threads.add(Thread.ofVirtual().name("observer of " + member).start(() -> observe(member, process)));
        }
    }

    private void observe(String member, long process) {
        try (HttpClient http =
                HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build()) {
            while (on) {
                ask(http, member, process);
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            http.shutdownNow();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void ask(HttpClient http, String member, long process) throws InterruptedException {
        try {
            URI uri = fleet.admin(member).resolve("/cluster/leases/current");
            HttpRequest request = HttpRequest.newBuilder(uri)
                    .header("Authorization", fleet.token(member))
                    .timeout(PATIENCE)
                    .build();
            long called = SystemClock.INSTANCE.nanos();
            HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() == 200) {
                history.read(process, fence(answer.body()), called, SystemClock.INSTANCE.nanos());
            } else {
                unanswered.incrementAndGet();
            }
        } catch (IOException e) {
            // it was killed, or stopped, or is cut off: nothing was read
            unanswered.incrementAndGet();
        }
    }

    /** Of the lease as {@code /cluster/leases} tells it; 0 where nobody holds it. */
    static long fence(String body) {
        Matcher m = HELD.matcher(body);
        return m.find() ? (Long.parseLong(m.group(1)) << 40) | Long.parseLong(m.group(2)) : 0;
    }

    /** What they did, for people. */
    String told() {
        return history.reads() + " linearizable reads by " + threads.size() + " observers, " + unanswered
                + " without an answer";
    }

    @Override
    public void close() {
        on = false;
        threads.forEach(Thread::interrupt);
        try {
            for (Thread t : threads) {
                t.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
