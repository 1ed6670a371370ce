package io.weir.cluster.jdbc;

import io.weir.base.Clock;
import io.weir.base.Stats;
import io.weir.cluster.config.ConsensusLogConfig;
import io.weir.cluster.config.DatabaseConfig;
import io.weir.cluster.lease.LeaseTimes;
import io.weir.cluster.lease.Owner;
import io.weir.cluster.log.ConsensusLog;
import io.weir.cluster.log.LogFault;
import io.weir.cluster.log.LogStatus;
import io.weir.cluster.log.ReplicatedState;
import io.weir.cluster.state.members.MemberState;
import io.weir.cluster.stats.ClusterStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The members' log as a table of a database, see {@link LogTable}. This member's commands are appended immediately, all
 * pending ones in one transaction; entries of other members are detected by polling, at the interval
 * {@code cluster.database.poll} or faster while entries arrive ({@link Pace}). While the database is unreachable,
 * commands wait until their time-out and the connection is retried. Entries are applied on the log's single thread
 * {@code weir.cluster.Log}, where futures also complete; it never waits for the database longer than about three
 * statement time-outs. Shared. Lives as long as the member.
 */
public final class JdbcLog implements ConsensusLog {
    private final Owner self;
    private final ConsensusLogConfig config;
    private final Clock clock;
    private final Stats stats;
    private final long poll;
    private final Duration closeTimeOut;
    private final LogTail tail;
    private final Thread thread;
    private final LinkedBlockingQueue<Runnable> mailbox = new LinkedBlockingQueue<>();
    private final AtomicInteger outstanding = new AtomicInteger();
    private final AtomicLong requests = new AtomicLong();
    private volatile Supplier<Collection<MemberState>> members = List::of;
    private volatile boolean closed;

    private JdbcLog(
            Database database,
            DatabaseConfig settings,
            ConsensusLogConfig config,
            LeaseTimes times,
            Owner self,
            ReplicatedState state,
            Clock clock) {
        this.self = self;
        this.config = config;
        this.clock = clock;
        this.stats = database.stats();
        this.poll = settings.poll().toNanos();
        this.closeTimeOut = database.statement().multipliedBy(4);
        this.tail = new LogTail(database, config, times, self, state, clock, new Pace(clock, poll));
        this.thread = Thread.ofPlatform().name("weir.cluster.Log").daemon(true).unstarted(this::run);
    }

    /**
     * Opens the log; returns immediately, also if the database is unreachable.
     *
     * @param self with a new incarnation for each opening: it makes request identifiers unique
     * @param state the state to which the log is applied, starting from the last snapshot
     */
    public static JdbcLog open(
            Database database,
            DatabaseConfig settings,
            ConsensusLogConfig config,
            LeaseTimes times,
            Owner self,
            ReplicatedState state,
            Clock clock) {
        JdbcLog log = new JdbcLog(database, settings, config, times, self, state, clock);
        log.thread.start();
        return log;
    }

    @Override
    public CompletableFuture<byte[]> submit(byte[] command) {
        if (command.length > LogTable.MAX_ENTRY) {
            return refused(
                    "not-committed", "a command of " + command.length + " bytes; the maximum is " + LogTable.MAX_ENTRY);
        }
        if (!room()) {
            return refused("busy", config.maxOutstanding() + " commands are outstanding");
        }
        String request = Long.toHexString(self.incarnation()) + "-" + requests.incrementAndGet();
        Submission s = new Submission(request, command.clone(), clock.nanos());
        CompletableFuture<byte[]> counted = s.answer.whenComplete((_, fault) -> done(s, fault));
        post(() -> tail.add(s), s.answer);
        return counted;
    }

    @Override
    public CompletableFuture<Void> barrier() {
        if (!room()) {
            return refused("busy", config.maxOutstanding() + " commands are outstanding");
        }
        LogTail.Barrier barrier = new LogTail.Barrier(clock.nanos());
        CompletableFuture<Void> counted = barrier.reached().whenComplete((_, _) -> outstanding.decrementAndGet());
        post(() -> tail.add(barrier), barrier.reached());
        return counted;
    }

    /**
     * Sets the supplier of the other members: there are no votes, every joined member is a peer of the log. How far a
     * member has read is known only to itself.
     */
    JdbcLog among(Supplier<Collection<MemberState>> known) {
        members = known;
        return this;
    }

    @Override
    public LogStatus status() {
        LogStatus own = tail.status();
        List<LogStatus.Peer> peers = new ArrayList<>(own.peers());
        for (MemberState m : members.get()) {
            if (!m.name().equals(self.member())) {
                peers.add(new LogStatus.Peer(m.name(), "", m.witness(), -1));
            }
        }
        peers.sort(Comparator.comparing(LogStatus.Peer::member));
        return new LogStatus(own.role(), own.leader(), own.term(), own.applied(), own.committed(), peers);
    }

    @Override
    public CompletableFuture<Void> yieldLeadership() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        post(() -> tail.yieldLeadership(done), done);
        return done;
    }

    private boolean room() {
        if (outstanding.incrementAndGet() > config.maxOutstanding()) {
            outstanding.decrementAndGet();
            return false;
        }
        return true;
    }

    private <T> CompletableFuture<T> refused(String outcome, String why) {
        stats.counter(ClusterStats.SUBMITTED, outcome).inc();
        return CompletableFuture.failedFuture(new LogFault(LogFault.Kind.NOT_COMMITTED, why));
    }

    private void done(Submission s, @Nullable Throwable fault) {
        outstanding.decrementAndGet();
        if (fault == null) {
            stats.counter(ClusterStats.SUBMITTED, "committed").inc();
            stats.histogram(ClusterStats.SUBMIT_TIME).record(clock.nanos() - s.begun);
        } else {
            boolean sure = fault instanceof LogFault known && known.kind() == LogFault.Kind.NOT_COMMITTED;
            stats.counter(ClusterStats.SUBMITTED, sure ? "not-committed" : "unknown")
                    .inc();
        }
    }

    private void post(Runnable task, CompletableFuture<?> outcome) {
        mailbox.add(task);
        // tasks added after the thread last polled the mailbox are failed here
        if (closed) {
            outcome.completeExceptionally(new LogFault(LogFault.Kind.CLOSED, "the log is closed"));
        }
    }

    private void run() {
        try {
            while (!closed) {
                gather(tail.failing() || !tail.hasWork());
                tail.turn();
            }
        } catch (InterruptedException | RuntimeException | Error e) {
            tail.died(e);
        } finally {
            closed = true;
            for (Runnable task = mailbox.poll(); task != null; task = mailbox.poll()) {
                task.run();
            }
            tail.close();
        }
    }

    /** Runs the tasks of the mailbox; if there is no other work, waits for a task until the next poll is due. */
    private void gather(boolean mayWait) throws InterruptedException {
        long until = clock.nanos() + (tail.failing() ? poll : tail.untilNext());
        Runnable task = mailbox.poll();
        while (task == null && mayWait && !closed) {
            long left = until - clock.nanos();
            if (left <= 0) {
                return;
            }
            task = mailbox.poll(left, TimeUnit.NANOSECONDS);
        }
        for (; task != null; task = mailbox.poll()) {
            task.run();
        }
        // new tasks must not shorten the retry interval of an unreachable database
        if (tail.failing() && until - clock.nanos() > 0) {
            pause(until);
        }
    }

    private void pause(long until) throws InterruptedException {
        while (until - clock.nanos() > 0 && !closed) {
            Runnable task = mailbox.poll(until - clock.nanos(), TimeUnit.NANOSECONDS);
            if (task != null) {
                task.run();
            }
        }
    }

    /**
     * Yields leadership and stops the thread, waiting for it at most four statement time-outs. Does not wait if called
     * on the log's thread.
     */
    @Override
    public void close() {
        closed = true;
        mailbox.add(() -> {});
        if (Thread.currentThread().equals(thread)) {
            return;
        }
        try {
            thread.join(closeTimeOut);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
