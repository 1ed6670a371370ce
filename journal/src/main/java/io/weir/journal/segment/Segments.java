package io.weir.journal.segment;

import io.weir.base.Clock;
import io.weir.base.Log;
import io.weir.journal.settings.JournalConfig;
import io.weir.journal.settings.JournalFault;
import io.weir.journal.settings.JournalMessages;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * All segments of an open journal: the sealed ones, the active one, the one being prepared. Confined to the journal's
 * thread, except for the totals, which are readable from any thread.
 */
public final class Segments {
    private final SegmentFiles files;
    private final JournalConfig config;
    private final Executor background;
    private final Clock clock;
    private final Log log;

    private final TreeMap<Long, Segment> all = new TreeMap<>();
    private @Nullable Segment active;
    private @Nullable CompletableFuture<Segment> spare;
    private long spareBytes;
    private long highest;
    private long retryAt;
    private @Nullable JournalFault lastFault;

    private volatile long diskBytes;
    private volatile int count;
    private volatile long liveBytes;

    public Segments(SegmentFiles files, JournalConfig config, Executor background, Clock clock, Log log) {
        this.files = files;
        this.config = config;
        this.background = background;
        this.clock = clock;
        this.log = log;
    }

    /** Takes over the recovered segments, all sealed; the next one's number is higher than any seen. */
    public void adopt(Collection<Segment> recovered, long highestNumber) {
        for (Segment s : recovered) {
            s.sealed = true;
            all.put(s.number(), s);
        }
        highest = highestNumber;
        total();
    }

    @Nullable
    public Segment active() {
        return active;
    }

    @Nullable
    public Segment get(long number) {
        return all.get(number);
    }

    public Collection<Segment> segments() {
        return all.values();
    }

    /**
     * The active segment with room for a batch that begins with this many bytes; a new one if necessary.
     *
     * @param addition must not use the reserve that is kept for removals while no further segment can be created
     * @throws JournalFault if there is no room
     */
    public Segment withRoom(long bytes, boolean addition) throws JournalFault {
        Segment a = active;
        if (a != null && a.room() >= bytes + (addition ? reserve() : 0)) {
            return a;
        }
        try {
            Segment ready = ready(bytes);
            if (a != null && a.room() >= bytes) {
                return a;
            }
            return roll(ready, bytes);
        } catch (JournalFault e) {
            if (addition) {
                throw e;
            }
            return a != null && a.room() >= bytes ? a : small(bytes, e);
        }
    }

    /**
     * Creates a small segment if the disk is too full for an ordinary one, for instance after a start, so that removals
     * can make room.
     */
    private Segment small(long bytes, JournalFault why) throws JournalFault {
        long size = Math.max(bytes + 8192, Math.min(config.maxFileSize().bytes() / 8, 1 << 20));
        if (size >= config.maxFileSize().bytes()) {
            throw why;
        }
        discardSpare();
        CompletableFuture<Segment> made = prepare(size);
        try {
            return roll(made.join(), bytes);
        } catch (CompletionException e) {
            discardSpare();
            total();
            throw why;
        }
    }

    /** Starts preparing the next segment. */
    public void prepareSpare() {
        spare = prepare(config.maxFileSize().bytes());
    }

    /** Retires the active segment, so that no further batch is written to it: what was durable there remains. */
    public void abandon() {
        if (active != null) {
            active.sealed = true;
            active = null;
        }
    }

    /** Segments that are no longer needed. */
    public List<Segment> dead() {
        List<Segment> dead = new ArrayList<>();
        for (Segment s : all.values()) {
            if (s.dead()) {
                dead.add(s);
            }
        }
        return dead;
    }

    /** Removes segments that the durable table no longer names, and deletes their files in the background. */
    public void drop(List<Segment> gone) {
        for (Segment s : gone) {
            all.remove(s.number());
        }
        for (Segment s : all.values()) {
            for (Segment g : gone) {
                s.forget(g.number());
            }
        }
        total();
        background.execute(() -> delete(gone));
        lastFault = null; // there is room again after the deletion
    }

    /** Writes the table of all segments except the given ones as a payload: number and end, -1 for the active one's. */
    public void writeTable(ByteBuffer b, Collection<Segment> without) {
        for (Segment s : all.values()) {
            if (!without.contains(s)) {
                b.putLong(s.number());
                b.putLong(s == active ? -1 : s.end);
            }
        }
    }

    public int tableBytes() {
        return all.size() * Records.TABLE_BYTES;
    }

    public long diskBytes() {
        return diskBytes;
    }

    public int count() {
        return count;
    }

    public long liveBytes() {
        return liveBytes;
    }

    public void publishLive() {
        long sum = 0;
        for (Segment s : all.values()) {
            sum += s.liveBytes();
        }
        liveBytes = sum;
    }

    /** Closes all files, even if some cannot be closed; a prepared segment is deleted. */
    public void close() {
        CompletableFuture<Segment> s = spare;
        if (s != null) {
            try {
                files.delete(s.join());
            } catch (CompletionException | IOException e) {
                log.log(JournalMessages.DELETE_FAILED, "that was being prepared", e);
            }
        }
        for (Segment open : all.values()) {
            try {
                open.file.close();
            } catch (IOException e) {
                log.log(JournalMessages.NOT_CLOSED, open.name, e);
            }
        }
    }

    /**
     * Bytes of the active segment that additions leave to removals: none while a further segment is ready, all of it if
     * none can be created, so that a full disk can be emptied.
     */
    public long reserve() {
        CompletableFuture<Segment> s = spare;
        long all = config.maxFileSize().bytes();
        return switch (s == null ? Future.State.FAILED : s.state()) {
            case SUCCESS -> 0;
            case RUNNING -> Math.min(all / 8, 1 << 20);
            case FAILED, CANCELLED -> all;
        };
    }

    private Segment roll(Segment ready, long bytes) throws JournalFault {
        if (ready.room() < bytes) {
            throw new JournalFault(JournalFault.Reason.TOO_LARGE, "no segment holds a group of " + bytes + " bytes");
        }
        abandon();
        spare = null;
        spareBytes = 0;
        active = ready;
        all.put(ready.number(), ready);
        prepareSpare();
        total();
        return ready;
    }

    /** The prepared segment: waits if it is being prepared, creates it again if that failed and the retry is due. */
    private Segment ready(long bytes) throws JournalFault {
        long wanted = Math.max(
                config.maxFileSize().bytes(), bytes + 2 * config.blockSize().bytes() + 8192);
        JournalFault fault = lastFault;
        if (fault != null && clock.nanos() - retryAt < 0) {
            throw fault;
        }
        CompletableFuture<Segment> s = spare;
        if (s == null || !mayHold(s, bytes)) {
            discardSpare();
            s = prepare(wanted);
        }
        try {
            Segment made = s.join();
            lastFault = null;
            return made.room() >= bytes ? made : ready(bytes);
        } catch (CompletionException e) {
            spare = null;
            spareBytes = 0;
            total();
            throw refused(e.getCause() == null ? e : e.getCause());
        }
    }

    /** Evaluates the state once, because the background thread may be about to complete it. */
    private static boolean mayHold(CompletableFuture<Segment> s, long bytes) {
        return switch (s.state()) {
            case RUNNING -> true;
            case SUCCESS -> s.resultNow().room() >= bytes;
            case FAILED, CANCELLED -> false;
        };
    }

    private void discardSpare() {
        CompletableFuture<Segment> s = spare;
        spare = null;
        spareBytes = 0;
        if (s != null) {
            try {
                Segment unused = s.join();
                background.execute(() -> delete(List.of(unused)));
            } catch (CompletionException e) {
                // its preparation was under way and failed: there is nothing to delete
                log.log(JournalMessages.NOT_PREPARED, e);
            }
        }
    }

    private CompletableFuture<Segment> prepare(long bytes) {
        long aligned = Records.align(bytes, Math.max(8, config.blockSize().bytes()));
        CompletableFuture<Segment> made = new CompletableFuture<>();
        spare = made;
        if (diskBytes + aligned > config.maxTotalSize().bytes()) {
            made.completeExceptionally(new JournalFault(
                    JournalFault.Reason.DISK_FULL,
                    "the journal takes " + diskBytes + " bytes, max-total-size is " + config.maxTotalSize()));
            return made;
        }
        spareBytes = aligned;
        total();
        long number = ++highest;
        background.execute(() -> {
            try {
                made.complete(files.prepare(number, aligned));
            } catch (IOException | RuntimeException | Error e) {
                // in any case: the journal's thread waits for the result
                made.completeExceptionally(e);
            }
        });
        return made;
    }

    private JournalFault refused(Throwable cause) {
        JournalFault fault = cause instanceof JournalFault f
                ? f
                : new JournalFault(reason(cause), "no further segment can be created: " + cause.getMessage(), cause);
        lastFault = fault;
        retryAt = clock.nanos() + config.retryAfter().toNanos();
        return fault;
    }

    private static JournalFault.Reason reason(Throwable cause) {
        String text = String.valueOf(cause.getMessage());
        return text.contains("space") || text.contains("quota")
                ? JournalFault.Reason.DISK_FULL
                : JournalFault.Reason.IO_ERROR;
    }

    private void delete(List<Segment> gone) {
        for (Segment s : gone) {
            try {
                files.delete(s);
                log.log(JournalMessages.GIVEN_BACK, s.name);
            } catch (IOException | RuntimeException e) {
                log.log(JournalMessages.DELETE_FAILED, s.name, e);
            }
        }
    }

    private void total() {
        long sum = spareBytes;
        for (Segment s : all.values()) {
            sum += s.capacity;
        }
        diskBytes = sum;
        count = all.size() + (spareBytes > 0 ? 1 : 0);
    }
}
