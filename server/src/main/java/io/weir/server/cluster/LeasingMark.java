package io.weir.server.cluster;

import io.weir.base.Fence;
import io.weir.base.Log;
import io.weir.cluster.log.Loop;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.Proposer;
import io.weir.cluster.state.StateListener;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Event;
import io.weir.cluster.state.entry.Refusal;
import io.weir.cluster.state.leases.LeaseEvent;
import io.weir.cluster.state.leases.LeaseState;
import io.weir.cluster.state.leases.Leases;
import io.weir.cluster.state.members.MemberCommand;
import io.weir.server.catalogue.ServerMessages;
import io.weir.server.files.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The source of the fences that services of this data directory got last, and their epoch: a file {@code leasing},
 * written with the first fence of a basis or an epoch. If the basis of leasing has changed since (alone, consensus,
 * database), the epoch is raised, so that each fence is higher than all earlier ones, whatever counts them now. A
 * running cluster refuses that; until its epoch is high enough this member is held back, and the mark stays as it is.
 * Confined to the loop once opened; lives as long as the member.
 */
final class LeasingMark implements StateListener {
    private static final String FILE = "leasing";
    /** The basis whose fences have the configured epoch, which the start compares with {@link #least()}. */
    static final String DATABASE = "database";

    private static final int SAY_FIRST = 25;
    private static final int SAY_EVERY = 300;
    private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final Path folder;
    private final String basis;
    private final long least;
    private final Loop loop;
    private final Supplier<Proposer> proposer;
    private final Executor writer;
    private final Log log;
    private final CompletableFuture<Void> cleared = new CompletableFuture<>();
    private ClusterState latest = ClusterState.EMPTY;
    private boolean asked;
    private int refusals;
    private boolean given;
    private long epoch;

    private LeasingMark(
            Path folder,
            String basis,
            String[] marked,
            Loop loop,
            Supplier<Proposer> proposer,
            Executor writer,
            Log log) {
        this.folder = folder;
        this.basis = basis;
        this.loop = loop;
        this.proposer = proposer;
        this.writer = writer;
        this.log = log;
        boolean there = marked.length == 2;
        this.epoch = there ? Long.parseLong(marked[1]) : 0;
        this.given = there && marked[0].equals(basis);
        this.least = there && !given ? epoch + 1 : 1;
        if (least == 1) {
            cleared.complete(null);
        }
    }

    /**
     * Reads the mark.
     *
     * @param basis the source of fences from now on
     * @param writer writes the file, one task at a time
     * @throws IOException if it cannot be read
     */
    static LeasingMark open(Path folder, String basis, Loop loop, Supplier<Proposer> proposer, Executor writer, Log log)
            throws IOException {
        Path file = folder.resolve(FILE);
        String[] marked = Files.exists(file) ? Files.readString(file).strip().split(" ", -1) : new String[0];
        if (marked.length != 0 && !(marked.length == 2 && marked[1].matches("\\d{1,18}"))) {
            throw new IOException(
                    "the file " + file + " is damaged: it records which fences were issued. Write the basis of leasing"
                            + " (alone, consensus or database) and the highest epoch of its fences into it, such as"
                            + " \"alone 1\"");
        }
        return new LeasingMark(folder, basis, marked, loop, proposer, writer, log);
    }

    /** The epoch that fences must have at least. */
    long least() {
        return least;
    }

    /**
     * Completes once every fence of this basis is higher than those of the previous one: then this member may take
     * part.
     */
    CompletableFuture<Void> cleared() {
        return cleared;
    }

    @Override
    public void restored(ClusterState now) {
        latest = now;
        if (!asked && least > 1) {
            asked = true;
            raise();
        }
        seenAll();
    }

    private void seenAll() {
        for (LeaseState l : latest.leases().values()) {
            seen(l);
        }
    }

    @Override
    public void applied(ClusterState after, List<Event> events) {
        latest = after;
        for (Event e : events) {
            if (e instanceof LeaseEvent.Acquired a) {
                seen(a.lease());
            }
        }
    }

    private void raise() {
        var _ = proposer.get().propose(new MemberCommand.RaiseEpoch(least)).whenComplete((answer, fault) -> {
            if (fault != null) {
                loop.after(AGAIN_NANOS, this::raise);
            } else if (answer instanceof Answer.Refused r && r.reason() == Refusal.BUSY && !basis.equals(DATABASE)) {
                refused(r.text());
            } else {
                raised(answer);
            }
        });
    }

    private void raised(Answer answer) {
        if (answer instanceof Answer.Done) {
            log.log(ServerMessages.EPOCH_RAISED, least, basis);
        }
        cleared.complete(null);
        seenAll();
    }

    /** Leases of an earlier run expire soon after a start of all members, so only a lasting refusal is logged. */
    private void refused(String why) {
        if (refusals % SAY_EVERY == SAY_FIRST) {
            log.log(ServerMessages.HELD_BACK, least - 1, latest.epoch(), why);
        }
        refusals++;
        loop.after(AGAIN_NANOS, this::raise);
    }

    /** Records the first fence that a service got from this basis, or of a higher epoch. */
    private void seen(LeaseState lease) {
        Fence fence = lease.fence();
        if (!cleared.isDone()) {
            return;
        }
        boolean ofService = Leases.singleton(lease.name()) != null && !fence.equals(Fence.NONE);
        if (ofService && (!given || fence.epoch() > epoch)) {
            given = true;
            epoch = Math.max(epoch, fence.epoch());
            long mark = epoch;
            writer.execute(() -> write(mark));
        }
    }

    private void write(long mark) {
        try {
            PrivateFiles.write(folder.resolve(FILE), basis + " " + mark + "\n");
        } catch (IOException e) {
            log.log(ServerMessages.NOT_MARKED, folder.resolve(FILE), e);
        }
    }
}
