package io.weir.proxy.pool;

import io.weir.base.Clock;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The state machine of one server's health: up, down for a time that doubles, on trial, warming. Shared by all muxers:
 * a request to a server that is up and never failed reads two fields and writes none; a state is replaced as a whole.
 * Lives as long as its server.
 */
public final class Health {
    /** Notified of every change of state, on the thread that made it. */
    interface Watcher {
        void changed(Standing was, Standing now);
    }

    private static final int LEAST_SHARE = 100;
    private static final int WHOLE_SHARE = 1000;
    private static final int MAX_DOUBLINGS = 20;

    /** Failures among the requests since the window's start. */
    private record Window(long sinceNanos, long requestsBefore, int failures) {}

    private final Supplier<PoolRules> rules;
    private final Clock clock;
    private final LongSupplier requests;
    private final Watcher watcher;
    private final AtomicReference<Standing> standing;
    private final AtomicReference<Window> window;
    private final AtomicInteger inARow = new AtomicInteger();
    private final AtomicBoolean trialInFlight = new AtomicBoolean();
    private final AtomicInteger trialsPassed = new AtomicInteger();
    private final AtomicInteger checksFailed = new AtomicInteger();
    private final AtomicInteger checksPassed = new AtomicInteger();

    /**
     * @param requests number of requests sent to the server so far
     * @param warming it is added to servers that already run, so it starts with a small share
     */
    Health(Supplier<PoolRules> rules, Clock clock, LongSupplier requests, boolean warming, Watcher watcher) {
        this.rules = rules;
        this.clock = clock;
        this.requests = requests;
        this.watcher = watcher;
        HealthState first = warming && rules.get().slowStartNanos() > 0 ? HealthState.WARMING : HealthState.UP;
        this.standing = new AtomicReference<>(new Standing(first, "", clock.millis(), clock.nanos(), 0, false, 0));
        this.window = new AtomicReference<>(new Window(clock.nanos(), 0, 0));
    }

    /** Its current state; applies a change that is due by time alone. */
    public Standing standing() {
        Standing s = standing.get();
        return s.state() == HealthState.WARMING ? warmed(s) : s;
    }

    /** Whether it gets its whole share; the fast path. */
    boolean up() {
        return standing.get().state() == HealthState.UP;
    }

    /** Its share of its weight, in thousandths; 0 if it gets nothing now. */
    int share() {
        Standing s = standing.get();
        return switch (s.state()) {
            case UP -> WHOLE_SHARE;
            case WARMING -> warmth(s);
            case TRIAL -> trialInFlight.get() ? 0 : LEAST_SHARE;
            case DOWN -> s.expired(clock.nanos()) ? LEAST_SHARE : 0;
        };
    }

    private int warmth(Standing s) {
        if (warmed(s).state() == HealthState.UP) {
            return WHOLE_SHARE;
        }
        long whole = Math.max(1, rules.get().slowStartNanos());
        long gone = Math.max(0, clock.nanos() - s.sinceNanos());
        return Math.clamp(gone * WHOLE_SHARE / whole, LEAST_SHARE, WHOLE_SHARE);
    }

    private Standing warmed(Standing s) {
        if (clock.nanos() - s.sinceNanos() < rules.get().slowStartNanos()) {
            return s;
        }
        move(s, HealthState.UP, s.reason(), 0, false, s.downs());
        return standing.get();
    }

    /**
     * Tries to admit a request.
     *
     * @return {@link Admission#TRIAL} if the request is a probe: its outcome must be reported by {@link #succeeded},
     * {@link #failed} or {@link #undecided}
     */
    Admission admit() {
        // Once more whenever another request has changed the state meanwhile: a probe of its own may have put it up.
        while (true) {
            Standing s = standing.get();
            switch (s.state()) {
                case UP, WARMING -> {
                    return Admission.ADMITTED;
                }
                case DOWN -> {
                    if (!s.expired(clock.nanos())) {
                        return Admission.REFUSED;
                    }
                    trialsPassed.set(0);
                    move(s, HealthState.TRIAL, s.reason(), 0, false, s.downs());
                }
                case TRIAL -> {
                    if (trialInFlight.compareAndSet(false, true)) {
                        return Admission.TRIAL;
                    }
                    if (standing.get().equals(s)) {
                        return Admission.REFUSED;
                    }
                }
            }
        }
    }

    /** A request succeeded. */
    void succeeded(boolean trial) {
        if (inARow.getOpaque() != 0) {
            inARow.set(0);
        }
        if (!trial) {
            return;
        }
        Standing s = standing.get();
        if (s.state() == HealthState.TRIAL
                && trialsPassed.incrementAndGet() >= rules.get().trials()) {
            recover(s);
        }
        trialInFlight.set(false);
    }

    /** A request failed through the server's fault. */
    void failed(String reason, boolean trial) {
        int row = inARow.incrementAndGet();
        Standing s = standing.get();
        PoolRules r = rules.get();
        switch (s.state()) {
            case UP, WARMING -> {
                if (r.failures() > 0 && row >= r.failures()) {
                    down(s, reason, row == 1 ? "" : row + " failures in a row: ");
                } else {
                    ratio(s, reason, r);
                }
            }
            case TRIAL -> {
                // requests sent before it went down are no evidence
                if (trial) {
                    down(s, reason, "trial failed: ");
                }
            }
            case DOWN -> {}
        }
        if (trial) {
            trialInFlight.set(false);
        }
    }

    /** An inconclusive probe: its client disconnected. */
    void undecided(boolean trial) {
        if (trial) {
            trialInFlight.set(false);
        }
    }

    private void ratio(Standing s, String reason, PoolRules r) {
        if (r.failureRatio() == 0) {
            return;
        }
        long now = clock.nanos();
        long all = requests.getAsLong();
        Window w = window.updateAndGet(old -> now - old.sinceNanos() > r.ratioNanos()
                ? new Window(now, all - 1, 1)
                : new Window(old.sinceNanos(), old.requestsBefore(), old.failures() + 1));
        long seen = Math.max(w.failures(), all - w.requestsBefore());
        if (seen >= r.ratioRequests() && w.failures() * 100L >= seen * r.failureRatio()) {
            down(s, reason, w.failures() + " of " + seen + " requests failed: ");
        }
    }

    private void down(Standing s, String reason, String what) {
        PoolRules r = rules.get();
        boolean longUp = s.state() == HealthState.UP && clock.nanos() - s.sinceNanos() > r.maxDownNanos();
        int before = longUp ? 0 : s.downs();
        long doubled = r.downNanos() << Math.min(before, MAX_DOUBLINGS);
        long nanos = doubled <= 0 ? r.maxDownNanos() : Math.min(doubled, r.maxDownNanos());
        move(s, HealthState.DOWN, what + reason, nanos, false, before + 1);
        inARow.set(0);
        window.set(new Window(clock.nanos(), requests.getAsLong(), 0));
    }

    private void recover(Standing s) {
        HealthState next = rules.get().slowStartNanos() > 0 ? HealthState.WARMING : HealthState.UP;
        move(s, next, s.reason(), 0, false, s.downs());
    }

    /** A check succeeded. */
    void checkPassed() {
        checksFailed.set(0);
        int passed = checksPassed.incrementAndGet();
        Standing s = standing.get();
        if (s.byCheck() && passed >= rules.get().check().rise()) {
            recover(s);
        }
    }

    /** A check failed. */
    void checkFailed(String reason) {
        checksPassed.set(0);
        int failed = checksFailed.incrementAndGet();
        Standing s = standing.get();
        if (!s.byCheck() && failed >= rules.get().check().fall()) {
            move(s, HealthState.DOWN, "check failed: " + reason, Long.MAX_VALUE, true, s.downs());
        }
    }

    /** Checks were disabled: a server that they marked down is probed by requests. */
    void unchecked() {
        checksFailed.set(0);
        checksPassed.set(0);
        Standing s = standing.get();
        if (s.byCheck()) {
            trialsPassed.set(0);
            move(s, HealthState.TRIAL, s.reason(), 0, false, s.downs());
        }
    }

    private void move(Standing from, HealthState to, String reason, long nanos, boolean byCheck, int downs) {
        Standing next = new Standing(to, reason, clock.millis(), clock.nanos(), nanos, byCheck, downs);
        if (standing.compareAndSet(from, next)) {
            watcher.changed(from, next);
        }
    }
}
