package io.weir.proxy.pool;

import io.weir.base.Clock;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * One server of a pool: its identity, its health, and its requests in flight. Shared: health by all muxers, the loads
 * each written by its muxer. Lives from the change that adds it to the end of its last request after the change that
 * removes it.
 */
public final class PoolServer {
    /** Notified of its states, on the thread that changed them. */
    interface Watcher {
        void changed(PoolServer server, Standing was, Standing now);
    }

    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

    private final OriginKey key;
    private final String name;
    private final String route;
    private final String actualRoute;
    private final long seed;
    private final Load[] loads;
    private final Health health;
    private final AtomicInteger held = new AtomicInteger();
    private final AtomicLong busy = new AtomicLong();
    private final AtomicLong downs = new AtomicLong();
    private final AtomicLong checks = new AtomicLong();
    private final AtomicLong checksFailed = new AtomicLong();
    private volatile int weight;
    private volatile boolean leaving;

    /** A server whose watcher is notified of its states. */
    PoolServer(
            OriginKey key,
            int weight,
            int muxers,
            boolean warming,
            Supplier<PoolRules> rules,
            Clock clock,
            Watcher watcher) {
        this.key = key;
        this.weight = weight;
        this.name = key.toString();
        this.route = route(name);
        this.actualRoute = key.parent() ? "PROXY(" + key.host() + ":" + key.port() + ")" : "ORIGIN(" + name + ")";
        this.seed = Hashing.of(name);
        this.loads = new Load[muxers];
        for (int i = 0; i < muxers; i++) {
            loads[i] = new Load();
        }
        this.health = new Health(rules, clock, this::requests, warming, (was, now) -> {
            if (now.state() == HealthState.DOWN) {
                downs.incrementAndGet();
            }
            watcher.changed(this, was, now);
        });
    }

    /** 16 printable characters from an MD5 of the address, as in the Sun proxy: the same after every restart. */
    private static String route(String address) {
        try {
            byte[] digest = MessageDigest.getInstance("MD5").digest(address.getBytes(StandardCharsets.UTF_8));
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < Sticky.ROUTE_LENGTH; i++) {
                text.append(ALPHABET.charAt(digest[i] & 63));
            }
            return text.toString();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has MD5", e);
        }
    }

    /** The key of connections to it. */
    public OriginKey key() {
        return key;
    }

    /** Its URL, with the address if that is one of several. */
    public String name() {
        return name;
    }

    /** Its representation in cookies and parameters. */
    public String route() {
        return route;
    }

    /** The Sun proxy's variable {@code actual-route}. */
    public String actualRoute() {
        return actualRoute;
    }

    public Health health() {
        return health;
    }

    public int weight() {
        return weight;
    }

    void weight(int w) {
        weight = w;
    }

    /** It is no longer in the configuration or among the name servers' answers. */
    public boolean leaving() {
        return leaving;
    }

    void leaving(boolean on) {
        leaving = on;
    }

    long seed() {
        return seed;
    }

    Load load(int muxer) {
        return loads[muxer];
    }

    /** Outstanding requests to it. */
    public long active() {
        long n = 0;
        for (Load l : loads) {
            n += l.active();
        }
        return n;
    }

    /** Requests sent to it, each attempt counted. */
    public long requests() {
        long n = 0;
        for (Load l : loads) {
            n += l.requests();
        }
        return n;
    }

    /** Requests that failed through its fault. */
    public long failures() {
        long n = 0;
        for (Load l : loads) {
            n += l.failures();
        }
        return n;
    }

    /** Sum of the times from its selection to the head of its answer, nanoseconds. */
    public long answerNanos() {
        long n = 0;
        for (Load l : loads) {
            n += l.nanos();
        }
        return n;
    }

    /** Heads of answers. */
    public long answers() {
        long n = 0;
        for (Load l : loads) {
            n += l.answers();
        }
        return n;
    }

    /** Times that it was skipped because it had its maximum of requests. */
    public long busy() {
        return busy.get();
    }

    /** Times that it was marked down. */
    public long downs() {
        return downs.get();
    }

    /** Active checks that succeeded. */
    public long checksPassed() {
        return checks.get();
    }

    /** Active checks that failed. */
    public long checksFailed() {
        return checksFailed.get();
    }

    /** An active check succeeded. */
    public void checkPassed() {
        checks.incrementAndGet();
        health.checkPassed();
    }

    /**
     * An active check failed.
     *
     * @param reason a short phrase
     */
    public void checkFailed(String reason) {
        checksFailed.incrementAndGet();
        health.checkFailed(reason);
    }

    /** Active checks were disabled. */
    public void unchecked() {
        health.unchecked();
    }

    /**
     * Takes one of the {@code max-outstanding} places; must be called only if there is such a bound.
     *
     * @param most the bound in the rules that the caller goes by: newer ones may have none
     */
    boolean hold(int most) {
        if (held.incrementAndGet() <= most) {
            return true;
        }
        held.decrementAndGet();
        return false;
    }

    void countBusy() {
        busy.incrementAndGet();
    }

    void release() {
        held.decrementAndGet();
    }

    @Override
    public String toString() {
        return name;
    }
}
