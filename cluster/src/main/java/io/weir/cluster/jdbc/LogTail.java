package io.weir.cluster.jdbc;

import io.weir.base.Clock;
import io.weir.cluster.config.ConsensusLogConfig;
import io.weir.cluster.lease.LeaseTimes;
import io.weir.cluster.lease.Owner;
import io.weir.cluster.log.LogFault;
import io.weir.cluster.log.LogStatus;
import io.weir.cluster.log.ReplicatedState;
import io.weir.cluster.stats.ClusterStats;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A member's work on the log table, turn by turn: appends its submissions, applies new entries, completes futures,
 * renews or seeks leadership, and as the leader writes snapshots. Whether a submission is in the log is found by
 * reading the log: an append whose outcome is unknown is retried with the same request identifier. Confined to the
 * log's thread, but for its status.
 */
final class LogTail implements AutoCloseable {
    /** Maximum number of commands appended in one transaction. */
    private static final int BATCH = 100;
    /** Attempts to append against concurrent members before the turn proceeds. */
    private static final int TRIES = 10;

    /** A reader that waits until everything committed before it arrived is applied. */
    record Barrier(long begun, CompletableFuture<Void> reached) {
        Barrier(long begun) {
            this(begun, new CompletableFuture<>());
        }
    }

    private final Database database;
    private final ConsensusLogConfig config;
    private final Owner self;
    private final ReplicatedState state;
    private final Clock clock;
    private final LogTable table;
    private final DatabaseLink link;
    private final Coordinator coordinator;
    private final Pace pace;
    private final List<Submission> drafts = new ArrayList<>();
    private final Map<String, Submission> submissions = new LinkedHashMap<>();
    private final List<Barrier> barriers = new ArrayList<>();
    private boolean begun;
    private boolean failing;
    private long applied;
    private long compacted;
    private @Nullable Owner leader;
    private volatile LogStatus status;

    LogTail(
            Database database,
            ConsensusLogConfig config,
            LeaseTimes times,
            Owner self,
            ReplicatedState state,
            Clock clock,
            Pace pace) {
        this.pace = pace;
        this.database = database;
        this.config = config;
        this.self = self;
        this.state = state;
        this.clock = clock;
        this.table = new LogTable(database, self.member());
        this.link = new DatabaseLink(database, "log", clock);
        LeaseRows rows = new LeaseRows(database, link, self, times, clock, "coordinator");
        this.coordinator = new Coordinator(rows, state, times, clock);
        this.status = new LogStatus(LogStatus.Role.NONE, null, 0, 0, 0, List.of());
    }

    LogStatus status() {
        return status;
    }

    void add(Submission submission) {
        submissions.put(submission.request, submission);
        drafts.add(submission);
    }

    void add(Barrier barrier) {
        barriers.add(barrier);
    }

    /** Whether there is pending work. */
    boolean hasWork() {
        return !drafts.isEmpty() || !barriers.isEmpty();
    }

    /** Nanoseconds until the table is to be polled again. */
    long untilNext() {
        return pace.next();
    }

    /** Whether the last request to the database failed. */
    boolean failing() {
        return failing;
    }

    /** Performs one turn. */
    void turn() {
        expire();
        coordinator.checkDeadline();
        try {
            if (!begun) {
                restore();
                begun = true;
            }
            append();
            drain();
            coordinator.turn();
            compact();
            failing = false;
        } catch (DatabaseFault fault) {
            failing = true;
            database.log().log(DatabaseMessages.LATE, "log", fault);
        }
        publish();
    }

    private void publish() {
        Owner now = coordinator.leader();
        if (now != null && !now.equals(leader)) {
            database.stats().counter(ClusterStats.LEADER_CHANGES).inc();
            leader = now;
        }
        LogStatus.Role role =
                coordinator.leading() ? LogStatus.Role.LEADER : begun ? LogStatus.Role.FOLLOWER : LogStatus.Role.NONE;
        status = new LogStatus(
                role,
                now == null ? null : now.member(),
                coordinator.term(),
                applied,
                applied,
                List.of(new LogStatus.Peer(self.member(), "", false, failing ? -1 : 0)));
    }

    private void expire() {
        long oldest = clock.nanos() - config.submitTimeOut().toNanos();
        for (Iterator<Submission> all = submissions.values().iterator(); all.hasNext(); ) {
            Submission s = all.next();
            if (s.begun - oldest < 0) {
                all.remove();
                drafts.remove(s);
                s.answer.completeExceptionally(
                        s.tried()
                                ? new LogFault(LogFault.Kind.UNKNOWN, "the database did not confirm in time")
                                : new LogFault(LogFault.Kind.NOT_COMMITTED, "the database is unreachable"));
            }
        }
        for (Iterator<Barrier> all = barriers.iterator(); all.hasNext(); ) {
            Barrier b = all.next();
            if (b.begun() - oldest < 0) {
                all.remove();
                b.reached()
                        .completeExceptionally(
                                new LogFault(LogFault.Kind.NOT_COMMITTED, "the database is unreachable"));
            }
        }
    }

    private void append() throws DatabaseFault {
        for (int i = 0; i < TRIES && !drafts.isEmpty(); i++) {
            List<Submission> batch = List.copyOf(drafts.subList(0, Math.min(BATCH, drafts.size())));
            for (Submission s : batch) {
                s.base = s.tried() ? s.base : applied;
            }
            if (append(batch) == batch.size()) {
                drafts.removeAll(batch);
            } else {
                settle(batch);
            }
        }
    }

    /** Returns how many this attempt appended; 0 if another member was faster, or an earlier attempt appended some. */
    private int append(List<Submission> batch) throws DatabaseFault {
        return link.call(c -> {
            try {
                return table.append(c, batch, applied);
            } catch (SQLException e) {
                if (!Dialect.duplicate(e)) {
                    throw e;
                }
                c.rollback();
                return 0;
            }
        });
    }

    private void settle(List<Submission> batch) throws DatabaseFault {
        Set<String> there = link.call(c -> table.present(c, batch));
        drafts.removeIf(s -> there.contains(s.request));
        for (Submission s : batch) {
            if (applied - s.base >= LogTable.KEPT && drafts.remove(s)) {
                submissions.remove(s.request);
                s.answer.completeExceptionally(
                        new LogFault(LogFault.Kind.UNKNOWN, "too much was decided since it was first tried"));
            }
        }
        drain();
    }

    /** Applies all new entries, then completes the barriers that arrived before it started. */
    private void drain() throws DatabaseFault {
        List<Barrier> waiting = List.copyOf(barriers);
        List<LogEntry> rows;
        do {
            rows = link.call(c -> table.after(c, applied));
            if (!rows.isEmpty() && rows.getFirst().seq != applied + 1) {
                restore();
                if (rows.getFirst().seq > applied + 1) {
                    database.log().log(DatabaseMessages.BROKEN, applied + 1, applied);
                    throw new DatabaseFault("the table of decisions lacks entry " + (applied + 1));
                }
                rows = link.call(c -> table.after(c, applied));
            }
            if (!rows.isEmpty()) {
                pace.moved();
            }
            List<Runnable> answers = rows.stream().map(this::apply).toList();
            publish();
            answers.forEach(Runnable::run);
        } while (rows.size() == LogTable.READ);
        barriers.removeAll(waiting);
        waiting.forEach(b -> b.reached().complete(null));
    }

    /** Applies an entry; the returned task completes the local submitter's future. */
    private Runnable apply(LogEntry row) {
        byte[] answer = state.apply(row.seq, row.bytes);
        applied = row.seq;
        Submission mine = submissions.remove(row.request);
        if (mine == null) {
            return () -> {};
        }
        drafts.remove(mine);
        return () -> mine.answer.complete(answer);
    }

    /** Restores the snapshot if it is ahead of the applied entries. */
    private void restore() throws DatabaseFault {
        Optional<LogEntry> found = link.call(table::snapshot);
        if (found.isEmpty() || found.get().seq <= applied) {
            return;
        }
        state.restore(found.get().bytes);
        applied = found.get().seq;
        compacted = applied;
        database.stats().counter(ClusterStats.SNAPSHOTS, "installed").inc();
        for (Submission s : List.copyOf(submissions.values())) {
            if (s.tried()) {
                submissions.remove(s.request);
                drafts.remove(s);
                s.answer.completeExceptionally(
                        new LogFault(LogFault.Kind.UNKNOWN, "it may be in what the snapshot covers"));
            }
        }
    }

    private void compact() throws DatabaseFault {
        if (!coordinator.leading() || applied - compacted < config.snapshotEvery()) {
            return;
        }
        LogEntry snapshot = LogEntry.snapshot(applied, state.snapshot());
        if (link.call(c -> table.compact(c, snapshot))) {
            database.stats().counter(ClusterStats.SNAPSHOTS, "taken").inc();
        }
        compacted = applied;
    }

    /** Gives leadership up; what goes wrong with that does not matter, the row's time runs out. */
    void yieldLeadership(CompletableFuture<Void> done) {
        try {
            coordinator.yieldToOthers();
        } catch (DatabaseFault fault) {
            database.log().log(DatabaseMessages.LATE, "log", fault);
        }
        publish();
        done.complete(null);
    }

    void died(Throwable cause) {
        database.log().log(DatabaseMessages.FAILED, "log", cause);
    }

    @Override
    public void close() {
        yieldLeadership(new CompletableFuture<>());
        link.close();
        LogFault closed = new LogFault(LogFault.Kind.CLOSED, "the log is closed");
        List<Submission> open = List.copyOf(submissions.values());
        submissions.clear();
        drafts.clear();
        open.forEach(s -> s.answer.completeExceptionally(closed));
        barriers.forEach(b -> b.reached().completeExceptionally(closed));
        barriers.clear();
    }
}
