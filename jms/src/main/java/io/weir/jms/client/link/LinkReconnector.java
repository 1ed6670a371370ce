package io.weir.jms.client.link;

import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.jms.client.settings.ReconnectPolicy;
import io.weir.jms.frames.RefusalCode;
import io.weir.wire.WireConnection;
import io.weir.wire.client.BackOff;
import io.weir.wire.client.ClientOptions;
import io.weir.wire.client.Reconnector;
import io.weir.wire.client.WireClient;
import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Maintains a connection's link: opens the first, and according to ReconnectPolicy another when it is lost. Threads
 * that need the link wait here for it. Shared; lives as long as its connection.
 */
public final class LinkReconnector implements Link.Owner {
    /** The connection, which is notified of losses and restores its sessions on a new link. */
    public interface Owner {
        /** The link was lost; on its loop. */
        void lost(JMSException why);

        /** Reopens, on a new link, all objects to restore; not called on a loop. */
        void restore(Link link) throws JMSException;

        /** The server is reachable and refuses to open an object on a new link; it is retried. */
        void refused(JMSException why);

        /** No further link will be opened. */
        void failed(JMSException why);

        void error(RefusalCode code, String text);
    }

    /** A link that was lost before this time counts as a failed attempt: the next one follows after a growing delay. */
    private static final long LASTING_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Target target;
    private final Owner owner;
    private final Clock clock;
    private final WireClient client = WireClient.open();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile @Nullable Link link;
    private volatile @Nullable JMSException failure;
    private volatile boolean closed;
    private volatile @Nullable Reconnector reconnector;
    /** The link on which objects are being restored. */
    private volatile @Nullable Link restoring;

    private volatile long since;
    /** The number of consecutive short-lived links. */
    private volatile int brief;
    /** The refusal last reported to the application. */
    private volatile @Nullable String reportedRefusal;

    /** Creates a reconnector; {@link #connect} opens the first link. */
    public LinkReconnector(Target target, Owner owner, Clock clock) {
        this.target = target;
        this.owner = owner;
        this.clock = clock;
    }

    /** Opens the first link and waits for it. */
    public Link connect() throws JMSException {
        AtomicReference<@Nullable Link> made = new AtomicReference<>();
        CompletableFuture<WireConnection> connecting =
                client.connect(target.url().addresses(), target.credentials(), options(), wire -> made(wire, made));
        try {
            connecting.get();
        } catch (ExecutionException e) {
            client.close();
            throw Refusals.connecting(e, target.where());
        } catch (InterruptedException e) {
            connecting.cancel(false);
            client.close();
            Thread.currentThread().interrupt();
            throw Refusals.caused(new JMSException("interrupted while connecting", "INTERRUPTED"), e);
        }
        Link first = Objects.requireNonNull(made.get());
        since = clock.nanos();
        link = first;
        return first;
    }

    private Link made(WireConnection wire, AtomicReference<@Nullable Link> made) {
        Link l = new Link(wire, this);
        made.set(l);
        return l;
    }

    private ClientOptions options() {
        Duration patience = Duration.ofMillis(target.knobs().connectTimeoutMillis());
        ClientOptions options = ClientOptions.DEFAULT
                .withConnectTimeOut(patience)
                .withHandshakeTimeOut(patience)
                .withProduct("weir-jms-client");
        return target.url().secure() ? options.withTls(null) : options;
    }

    /** The current link; null while there is none. */
    @Nullable
    public Link now() {
        Link l = link;
        return l == null || l.isClosed() ? null : l;
    }

    /** The current link; waits until a lost one is restored, at most ReconnectBlockingMillis. */
    public Link await() throws JMSException {
        Link l = now();
        if (l != null) {
            return l;
        }
        long patience = target.knobs().reconnectBlockingMillis();
        long left = patience < 0 ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(patience);
        lock.lock();
        try {
            while ((l = now()) == null) {
                checkAlive();
                if (left <= 0) {
                    throw new JMSException(
                            "the connection is lost, and did not come back within " + patience + " ms", "LOST");
                }
                left = changed.awaitNanos(left);
            }
            return l;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Refusals.caused(new JMSException("interrupted while the connection is lost", "INTERRUPTED"), e);
        } finally {
            lock.unlock();
        }
    }

    private void checkAlive() throws JMSException {
        JMSException why = failure;
        if (why != null) {
            throw Refusals.caused(new JMSException(why.getMessage(), why.getErrorCode()), why);
        }
        if (closed) {
            throw Refusals.closed("the connection");
        }
    }

    @Override
    public void error(RefusalCode code, String text) {
        owner.error(code, text);
    }

    @Override
    public void lost(Link gone, @Nullable Throwable cause) {
        if (closed || gone != link) {
            return;
        }
        JMSException why = Refusals.lost(cause);
        if (target.knobs().reconnectPolicy() == ReconnectPolicy.NONE) {
            fail(why);
            return;
        }
        brief = clock.nanos() - since < LASTING_NANOS ? brief + 1 : 0;
        owner.lost(why);
        reconnect();
    }

    /**
     * Starts reconnecting, with one back-off over all attempts, each of which connects, logs in and reopens what was
     * open.
     */
    private void reconnect() {
        long total = target.knobs().totalReconnectPeriodMillis();
        BackOff backOff = new BackOff(BackOff.DEFAULT.first(), BackOff.DEFAULT.most(), Duration.ofMillis(total));
        Reconnector again = new Reconnector(
                client,
                new Reconnector.Target(target.url().addresses(), target.credentials(), options()),
                backOff,
                clock,
                Chance.unseeded());
        reconnector = again;
        reportedRefusal = null;
        AtomicReference<@Nullable Link> made = new AtomicReference<>();
        var unused = again.connect(Math.max(0, brief - 1), wire -> made(wire, made), wire -> restoring(made))
                .whenComplete((wire, failed) -> aside(() -> {
                    if (failed != null) {
                        fail(Refusals.reconnectFailed(failed, target.where(), total));
                    } else {
                        restored(Objects.requireNonNull(made.get()));
                    }
                }));
        if (closed) {
            again.stop(null);
        }
    }

    private CompletableFuture<Void> restoring(AtomicReference<@Nullable Link> made) {
        Link next = Objects.requireNonNull(made.get());
        CompletableFuture<Void> done = new CompletableFuture<>();
        restoring = next;
        if (closed) {
            done.completeExceptionally(Refusals.closed("the connection"));
            return done;
        }
        aside(() -> {
            try {
                owner.restore(next);
                done.complete(null);
            } catch (JMSException e) {
                refused(next, e);
                done.completeExceptionally(e);
            } catch (RuntimeException e) {
                refused(
                        next,
                        Refusals.caused(new JMSException("the connection's sessions could not be reopened: " + e), e));
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    /** Reports a refusal, once for each reason. */
    private void refused(Link next, JMSException why) {
        String text = String.valueOf(why.getMessage());
        if (!closed && !next.isClosed() && !text.equals(reportedRefusal)) {
            reportedRefusal = text;
            owner.refused(why);
        }
    }

    private void restored(Link next) {
        since = clock.nanos();
        link = next;
        signal();
        if (next.isClosed()) {
            lost(next, null);
        }
    }

    /**
     * Runs a task on a new thread: all threads of the client's pool may be in listeners that wait for the connection.
     */
    public static void aside(Runnable task) {
        Thread thread = new Thread(task, "weir-client-reconnect");
        thread.setDaemon(true);
        thread.start();
    }

    private void fail(JMSException why) {
        if (closed) {
            return;
        }
        failure = why;
        signal();
        owner.failed(why);
    }

    private void signal() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Closes the link and opens no other. */
    public void close() {
        closed = true;
        signal();
        Reconnector again = reconnector;
        if (again != null) {
            again.stop(null);
        }
        Link l = link;
        if (l != null) {
            l.close();
        }
        Link next = restoring;
        if (next != null && next != l) {
            next.close();
        }
        client.close();
    }
}
