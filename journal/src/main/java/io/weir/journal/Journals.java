package io.weir.journal;

import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.journal.damage.Damage;
import io.weir.journal.damage.DamageBook;
import io.weir.journal.damage.DamageFile;
import io.weir.journal.damage.Describer;
import io.weir.journal.disk.Disk;
import io.weir.journal.disk.FileDisk;
import io.weir.journal.recovery.Recovered;
import io.weir.journal.recovery.Recovery;
import io.weir.journal.recovery.RecoveryProgress;
import io.weir.journal.recovery.Replay;
import io.weir.journal.recovery.Replaying;
import io.weir.journal.segment.SegmentFiles;
import io.weir.journal.settings.JournalConfig;
import io.weir.journal.settings.JournalFault;
import io.weir.journal.settings.JournalMessages;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executor;

/** Opens journals. Immutable; the parts passed to it live at least as long as the journals. */
public final class Journals {
    private static final String LOCK = ".lock";

    private Journals() {}

    /**
     * A journal's environment.
     *
     * @param chance confined to the journal from then on
     */
    public record Parts(Disk disk, Clock clock, Chance chance, Stats stats, Log log) {}

    /**
     * Opens the journal in a directory, creating it if it does not exist: recovers, replays every live entry, starts
     * the journal's threads.
     *
     * @param name letters, digits and hyphens: used in file names, in the thread's name ({@code weir.journal.<name>})
     * and in the counters' labels
     * @throws JournalFault if it cannot start: locked, a segment missing, an unsupported version
     */
    public static Journal open(
            String name,
            Path directory,
            JournalConfig config,
            Clock clock,
            Chance chance,
            Stats stats,
            Log log,
            Replay replay)
            throws JournalFault, IOException {
        Parts parts = new Parts(new FileDisk(directory), clock, chance, stats, log);
        return open(name, config, parts, replay);
    }

    /** Opens a journal on any disk. */
    public static Journal open(String name, JournalConfig config, Parts parts, Replay replay)
            throws JournalFault, IOException {
        return open(name, config, parts, Threads.own(name), replay);
    }

    /**
     * Opens a journal on the caller's threads, for the simulator.
     *
     * @param writer runs one task at a time
     * @param background runs one task at a time
     */
    public static Journal open(
            String name, JournalConfig config, Parts parts, Executor writer, Executor background, Replay replay)
            throws JournalFault, IOException {
        return open(name, config, parts, new Threads(writer, background, () -> {}), replay);
    }

    /**
     * Reads the damage recorded for a journal that is not open.
     *
     * @throws IOException if the list cannot be read
     */
    public static List<Damage> damage(String name, Path directory) throws IOException {
        return Files.isDirectory(directory)
                ? new DamageFile(new FileDisk(directory), name)
                        .read().places().stream().filter(Damage::isOpen).toList()
                : List.of();
    }

    private static Journal open(String name, JournalConfig config, Parts parts, Threads threads, Replay replay)
            throws JournalFault, IOException {
        boolean open = false;
        Closeable lock = config.fileLocking() ? lock(name, parts.disk()) : () -> {};
        try {
            Journal j = recovered(name, config, parts, threads, replay, lock);
            open = true;
            return j;
        } finally {
            if (!open) {
                threads.stop();
                lock.close();
            }
        }
    }

    /**
     * The results of recovery that the open journal needs.
     *
     * @param names describes entries
     */
    record Kept(Recovered recovered, DamageBook damages, Describer names) {}

    private static Journal recovered(
            String name, JournalConfig config, Parts parts, Threads threads, Replay replay, Closeable lock)
            throws JournalFault, IOException {
        parts.log().log(JournalMessages.OPENING, name, parts.disk().place());
        JournalCounters counters = new JournalCounters(parts.stats(), name);
        SegmentFiles files = new SegmentFiles(name, parts.disk(), parts.clock(), parts.chance(), config);
        DamageBook damages = new DamageBook(name, parts.disk(), parts.clock(), parts.log());
        damages.read();
        RecoveryProgress progress = new RecoveryProgress(parts.clock(), parts.log());
        Recovered recovered = new Recovery(
                        files,
                        config,
                        parts.disk(),
                        parts.log(),
                        counters.damaged,
                        counters.torn,
                        damages,
                        replay,
                        progress)
                .run();
        new Replaying(name, recovered, progress).to(replay);
        Kept kept = new Kept(recovered, damages, replay.describer());
        SegmentedJournal j = new SegmentedJournal(name, config, parts, counters, threads, files, kept, lock);
        damages.report();
        parts.log().log(
                JournalMessages.OPENED,
                name,
                j.liveEntries(),
                recovered.segments().size(),
                config.maxFileSize().bytes(),
                config.synchronousWritePolicy());
        j.start();
        return j;
    }

    static Closeable lock(String name, Disk disk) throws JournalFault {
        try {
            return disk.lock(name + LOCK);
        } catch (IOException e) {
            throw new JournalFault(
                    JournalFault.Reason.LOCKED,
                    "the journal \"" + name + "\" in " + disk.place() + " is in use: " + e.getMessage()
                            + "; stop the other server, or configure another directory for this one",
                    e);
        }
    }
}
