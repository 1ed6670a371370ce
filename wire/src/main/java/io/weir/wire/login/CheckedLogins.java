package io.weir.wire.login;

import io.weir.base.Clock;
import io.weir.base.Counter;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.wire.WireFault;
import io.weir.wire.WireFault.Reason;
import io.weir.wire.WireMessages;
import io.weir.wire.WireStats;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks logins against a realm whose check is intentionally slow: on one thread with a bounded queue, once for
 * identical concurrent logins, and not at all for those verified recently or from an address or name with too many
 * failures. Shared; lives as long as the server.
 */
public final class CheckedLogins implements Authenticator, AutoCloseable {
    /** A check that is queued or runs, and the logins that wait for it. */
    private static final class Check {
        private final String user;
        private final InetAddress address;
        private final String hash;
        private volatile boolean locked;
        private final CompletableFuture<@Nullable Principal> outcome = new CompletableFuture<>();
        private final AtomicInteger waiting = new AtomicInteger();

        Check(String user, InetAddress address, String hash) {
            this.user = user;
            this.address = address;
            this.hash = hash;
        }

        /** Adds another login with the same name and password; cancelling one does not affect the others. */
        CompletableFuture<@Nullable Principal> join(BiConsumer<@Nullable Principal, @Nullable Throwable> counted) {
            waiting.incrementAndGet();
            CompletableFuture<@Nullable Principal> answer = new CompletableFuture<>();
            var unusedAnswer = answer.whenComplete((unusedResult, unusedFailure) -> waiting.decrementAndGet());
            var unusedOutcome = outcome.whenComplete((principal, failure) -> {
                counted.accept(principal, failure);
                if (failure == null) {
                    answer.complete(principal);
                } else {
                    answer.completeExceptionally(failure);
                }
            });
            return answer;
        }
    }

    private final Realm realm;
    private final Live<LoginConfig> config;
    private final Log log;
    private final LoginGuard guard;
    private final VerifiedLogins verified;
    private final ThreadPoolExecutor thread;
    private final Map<String, Check> running = new ConcurrentHashMap<>();
    private final Counter accepted;
    private final Counter remembered;
    private final Counter anonymous;
    private final Counter wrong;
    private final Counter locked;
    private final Counter busy;

    /** Checks logins against a realm, with the limits of the knobs {@code messaging.wire.logins}. */
    public CheckedLogins(Realm realm, Live<LoginConfig> config, Stats stats, Log log, Clock clock) {
        this.realm = realm;
        this.config = config;
        this.log = log;
        this.guard = new LoginGuard(clock);
        this.verified = new VerifiedLogins(clock);
        this.thread = new ThreadPoolExecutor(
                1,
                1,
                30,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(config.get().queue()),
                CheckedLogins::named);
        thread.allowCoreThreadTimeOut(true);
        stats.gauge(WireStats.LOGINS_WAITING, () -> thread.getQueue().size());
        accepted = stats.counter(WireStats.LOGINS, "accepted");
        remembered = stats.counter(WireStats.LOGINS, "remembered");
        anonymous = stats.counter(WireStats.LOGINS, "anonymous");
        wrong = stats.counter(WireStats.LOGINS, "wrong");
        locked = stats.counter(WireStats.LOGINS, "locked");
        busy = stats.counter(WireStats.LOGINS, "busy");
    }

    private static Thread named(Runnable work) {
        Thread t = new Thread(work, "ExecuteThread: '0' for queue: 'weir.work.logins'");
        t.setDaemon(true);
        return t;
    }

    @Override
    public CompletableFuture<@Nullable Principal> check(
            @Nullable String user, char @Nullable [] password, InetSocketAddress from) {
        InetAddress address = from.getAddress();
        if (user == null) {
            Principal p = realm.anonymous(from);
            (p == null ? wrong : anonymous).inc();
            return done(p);
        }
        LoginConfig limits = config.get();
        if (guard.locked(address, user, limits)) {
            locked.inc();
            return CompletableFuture.failedFuture(locked(user));
        }
        char[] secret = password == null ? new char[0] : password;
        String hash = verified.hash(user, secret);
        Principal known =
                verified.find(user, hash, realm.version(), limits.remember().toNanos());
        if (known != null) {
            Arrays.fill(secret, ' ');
            remembered.inc();
            return done(known);
        }
        return slowly(user, secret, hash, address);
    }

    private static WireFault locked(String user) {
        return new WireFault(
                Reason.LOGIN_STORM, "too many failed logins of " + user + " from this address: try again later");
    }

    private static CompletableFuture<@Nullable Principal> done(@Nullable Principal principal) {
        CompletableFuture<@Nullable Principal> done = new CompletableFuture<>();
        done.complete(principal);
        return done;
    }

    private CompletableFuture<@Nullable Principal> slowly(
            String user, char[] password, String hash, InetAddress address) {
        Check mine = new Check(user, address, hash);
        Check first = running.putIfAbsent(hash, mine);
        Check check = first == null ? mine : first;
        CompletableFuture<@Nullable Principal> answer =
                check.join((principal, failure) -> count(check, address, principal, failure));
        if (first == null) {
            try {
                thread.execute(() -> run(mine, password));
            } catch (RejectedExecutionException e) {
                running.remove(hash);
                mine.outcome.completeExceptionally(
                        new WireFault(Reason.LOGIN_STORM, "too many logins at once: try again later", e));
            }
        }
        return answer;
    }

    private void count(Check check, InetAddress address, @Nullable Principal principal, @Nullable Throwable failure) {
        if (failure != null) {
            (check.locked ? locked : busy).inc();
        } else if (principal == null) {
            wrong.inc();
            guard.failed(address, check.user, config.get());
        } else {
            accepted.inc();
        }
    }

    /** Runs the check on its thread. */
    private void run(Check check, char[] password) {
        try {
            if (check.waiting.get() == 0) {
                throw new WireFault(Reason.LOGIN_STORM, "the client no longer waits for this login");
            }
            if (guard.locked(check.address, check.user, config.get())) {
                // Earlier checks in the queue failed: waiting password guesses must not delay other users.
                check.locked = true;
                throw locked(check.user);
            }
            long version = realm.version();
            Principal principal = realm.check(check.user, password);
            if (principal != null) {
                verified.remember(check.user, check.hash, principal, version);
            }
            running.remove(check.hash);
            check.outcome.complete(principal);
        } catch (WireFault e) {
            running.remove(check.hash);
            check.outcome.completeExceptionally(e);
        } catch (IOException | RuntimeException e) {
            log.log(WireMessages.REALM_FAILED, e);
            running.remove(check.hash);
            check.outcome.completeExceptionally(new WireFault(
                    Reason.INTERNAL, "the login could not be checked: see the server's log for the cause", e));
        } finally {
            Arrays.fill(password, ' ');
        }
    }

    /** Abandons the queued checks. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
