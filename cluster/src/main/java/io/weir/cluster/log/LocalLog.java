package io.weir.cluster.log;

import io.weir.base.ByteSize;
import io.weir.base.Chance;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.journal.Group;
import io.weir.journal.Journal;
import io.weir.journal.Journals;
import io.weir.journal.Payload;
import io.weir.journal.damage.Damages;
import io.weir.journal.disk.Disk;
import io.weir.journal.disk.FileDisk;
import io.weir.journal.settings.JournalConfig;
import io.weir.journal.settings.JournalFault;
import io.weir.journal.settings.WritePolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The log of a cluster of one: a journal on the local disk, leading as soon as it is open. A command is answered once
 * it is durable and applied; its index is its id in the journal. After {@link #COMPACT_AFTER} commands (or
 * {@link #COMPACT_BYTES}) they are replaced by a snapshot, written in one group with their removal. The state is
 * applied on the journal's thread. Shared; lives from open to {@link #close}, and holds its directory's lock during
 * that time.
 */
public final class LocalLog implements ConsensusLog {
    /** Maximum number of outstanding commands. */
    public static final int OUTSTANDING = 10_000;
    /** Number of commands after which they are replaced by a snapshot. */
    static final int COMPACT_AFTER = 1_000;
    /** Bytes of commands after which they are replaced by a snapshot. */
    static final long COMPACT_BYTES = 4 << 20;

    /** The journal's name, used in file names, thread names and counters. */
    public static final String NAME = "cluster";

    private static final long TIME_OUT_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final String member;
    private final ReplicatedState state;
    private final Loop loop;
    private final Journal journal;
    private final long term;
    private final LocalCounts counts;
    /** Held while an id is assigned and submitted, so that both have the same order. */
    private final ReentrantLock order = new ReentrantLock();

    private final AtomicInteger outstanding = new AtomicInteger();
    private final ConcurrentLinkedQueue<Pending> pending = new ConcurrentLinkedQueue<>();
    private volatile long applied;
    private volatile boolean closed;
    /** Ids of the entries replaced by the next snapshot; confined to the journal's thread once open. */
    private List<Long> replaceable;

    private long bytes;

    /** A command with an outstanding future. */
    private record Pending(CompletableFuture<byte[]> future, long deadline) {}

    private LocalLog(
            String member, ReplicatedState state, Loop loop, Journal journal, LocalReplay replay, Stats stats) {
        this.counts = LocalCounts.of(stats);
        this.member = member;
        this.state = state;
        this.loop = loop;
        this.journal = journal;
        this.applied = replay.applied();
        this.term = replay.applied() + 1;
        this.replaceable = replay.ids();
        this.bytes = replay.bytes();
    }

    /**
     * Opens the log in a directory, creating it if missing: recovers the state from snapshot and commands, and becomes
     * leader.
     *
     * @param member this member's name
     * @param chance confined to the log from now on
     * @throws JournalFault if the directory is in use, or lacks a file
     * @throws IllegalArgumentException if the snapshot has an unsupported version
     */
    public static LocalLog open(
            Path directory, String member, ReplicatedState state, Loop loop, Chance chance, Stats stats, Log log)
            throws JournalFault, IOException {
        return open(new FileDisk(directory), member, state, loop, chance, stats, log);
    }

    /** The same on any disk, for example a locked one. */
    public static LocalLog open(
            Disk disk, String member, ReplicatedState state, Loop loop, Chance chance, Stats stats, Log log)
            throws JournalFault, IOException {
        LocalReplay replay = new LocalReplay();
        Journals.Parts parts = new Journals.Parts(disk, loop.clock(), chance, stats, log);
        Journal journal = Journals.open(NAME, config(), parts, replay);
        return recovered(member, state, loop, journal, replay, stats);
    }

    /** The same on any disk, with the caller's threads, for tests. */
    static LocalLog open(String member, ReplicatedState state, Loop loop, Journals.Parts parts, Executor writer)
            throws JournalFault, IOException {
        LocalReplay replay = new LocalReplay();
        Journal journal = Journals.open(NAME, config(), parts, writer, Runnable::run, replay);
        return recovered(member, state, loop, journal, replay, parts.stats());
    }

    private static LocalLog recovered(
            String member, ReplicatedState state, Loop loop, Journal journal, LocalReplay replay, Stats stats) {
        boolean open = false;
        try {
            replay.into(state);
            LocalLog log = new LocalLog(member, state, loop, journal, replay, stats);
            state.leadership(true, log.term);
            loop.execute(log::sweep);
            open = true;
            return log;
        } finally {
            if (!open) {
                journal.close();
            }
        }
    }

    /** Small segments: the state is small, and opening zero-fills two of them. */
    private static JournalConfig config() {
        return new JournalConfig(
                WritePolicy.DIRECT_WRITE,
                new ByteSize(1 << 20),
                new ByteSize(1L << 30),
                new ByteSize(256 << 10),
                new ByteSize(512),
                new ByteSize(256L << 20),
                OUTSTANDING * 2,
                new ByteSize(64L << 20),
                0.3,
                new ByteSize(128 << 10),
                Duration.ofSeconds(1),
                true,
                false);
    }

    @Override
    public CompletableFuture<byte[]> submit(byte[] command) {
        CompletableFuture<byte[]> future = new CompletableFuture<>();
        if (closed) {
            future.completeExceptionally(closedFault());
        } else if (outstanding.incrementAndGet() > OUTSTANDING) {
            outstanding.decrementAndGet();
            counts.busy().inc();
            future.completeExceptionally(new LogFault(
                    LogFault.Kind.NOT_COMMITTED, "busy: " + OUTSTANDING + " commands are waiting for the disk"));
        } else {
            long now = loop.clock().nanos();
            pending.add(new Pending(future, now + TIME_OUT_NANOS));
            append(command, now, future);
        }
        return future;
    }

    private void append(byte[] command, long begun, CompletableFuture<byte[]> future) {
        order.lock();
        try {
            Group group = journal.group();
            long index = group.add(LocalReplay.COMMAND, Payload.of(command));
            journal.submit(group, fault -> {
                outstanding.decrementAndGet();
                counts.written(fault, loop.clock().nanos() - begun);
                written(index, command, future, fault);
            });
        } finally {
            order.unlock();
        }
    }

    private void written(long index, byte[] command, CompletableFuture<byte[]> future, @Nullable JournalFault fault) {
        if (fault != null) {
            future.completeExceptionally(fault(fault));
            return;
        }
        byte[] answer;
        try {
            answer = state.apply(index, command);
        } catch (RuntimeException | Error e) {
            future.completeExceptionally(
                    new LogFault(LogFault.Kind.UNKNOWN, "the command was written, but applying it failed: " + e, e));
            throw e;
        }
        applied = index;
        replaceable.add(index);
        bytes += command.length;
        future.complete(answer);
        if (replaceable.size() > COMPACT_AFTER || bytes > COMPACT_BYTES) {
            compact();
        }
    }

    /** Replaces the applied commands by a snapshot, atomically; if that fails, the next attempt replaces both. */
    private void compact() {
        List<Long> replaced = replaceable;
        replaceable = new ArrayList<>();
        bytes = 0;
        // accepted even on a full disk: it frees more than it uses
        Group group = journal.group().relieving();
        replaceable.add(group.add(LocalReplay.SNAPSHOT, LocalReplay.snapshot(applied, state.snapshot())));
        replaced.forEach(group::remove);
        journal.submit(group, fault -> {
            if (fault != null) {
                replaceable.addAll(replaced);
            } else {
                counts.snapshots().inc();
            }
        });
    }

    private static LogFault fault(JournalFault fault) {
        String text = fault.getMessage() == null ? fault.reason().name() : fault.getMessage();
        return switch (fault.reason()) {
            case IO_ERROR, DIED -> new LogFault(LogFault.Kind.UNKNOWN, text, fault);
            case CLOSED -> new LogFault(LogFault.Kind.CLOSED, text, fault);
            default -> new LogFault(LogFault.Kind.NOT_COMMITTED, text, fault);
        };
    }

    /** Enforces the time-out even if the disk hangs. On the loop, once a second. */
    private void sweep() {
        long now = loop.clock().nanos();
        for (Pending p = pending.peek(); p != null && due(p, now); p = pending.peek()) {
            pending.remove(p);
            p.future()
                    .completeExceptionally(new LogFault(
                            LogFault.Kind.UNKNOWN,
                            "the disk has not responded for " + TIME_OUT_NANOS / 1_000_000_000 + " s"));
        }
        if (!closed) {
            loop.after(SWEEP_NANOS, this::sweep);
        }
    }

    private static boolean due(Pending p, long now) {
        return p.future().isDone() || now - p.deadline() > 0;
    }

    @Override
    public CompletableFuture<Void> barrier() {
        // answered commands were already applied on the only member
        return closed ? CompletableFuture.failedFuture(closedFault()) : CompletableFuture.completedFuture(null);
    }

    @Override
    public LogStatus status() {
        LogStatus.Role role = closed ? LogStatus.Role.NONE : LogStatus.Role.LEADER;
        return new LogStatus(role, member, term, applied, applied, List.of(new LogStatus.Peer(member, "", false, 0)));
    }

    @Override
    public Damages damages() {
        return journal.damages();
    }

    @Override
    public String fault() {
        JournalFault fault = journal.suspended();
        return fault != null && fault.reason() == JournalFault.Reason.DIED ? String.valueOf(fault.getMessage()) : "";
    }

    @Override
    public CompletableFuture<Void> yieldLeadership() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            journal.close();
            for (Pending p = pending.poll(); p != null; p = pending.poll()) {
                p.future().completeExceptionally(closedFault());
            }
        }
    }

    private static LogFault closedFault() {
        return new LogFault(LogFault.Kind.CLOSED, "the log is closed");
    }
}
