package io.weir.journal;

import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.base.Log;
import io.weir.base.Stats;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Executor;

/** Opens journals. Immutable; what it is given lives at least as long as the journals. */
public final class Journals {
    private Journals() {}

    /**
     * What a journal runs on.
     *
     * @param background prepares and deletes segments: a thread of its own, or {@code Runnable::run} in the simulator
     */
    public record Parts(Disk disk, Clock clock, Chance chance, Stats stats, Log log, Executor background) {}

    /**
     * Opens the journal in a directory, making it where it is not: recovers, replays every entry that lives, starts the
     * journal's thread.
     *
     * @param name in file names, in the thread's name ({@code weir.journal.<name>}) and in the counters' labels
     * @throws JournalFault when it cannot start: locked, a segment missing, a version it does not read
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
        throw new UnsupportedOperationException("being built");
    }
}
