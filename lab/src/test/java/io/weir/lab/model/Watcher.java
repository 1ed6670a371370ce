package io.weir.lab.model;

import io.weir.base.Log;
import io.weir.base.LogMessage;
import io.weir.broker.report.BrokerMessages;
import io.weir.journal.settings.JournalFault;
import io.weir.journal.settings.JournalMessages;
import java.util.Arrays;
import java.util.Set;

/** Reads what the broker logs: faults of the disk are counted, programmer errors end the run. Confined to the simulation's thread. */
final class Watcher implements Log {
    private static final Set<LogMessage> FAULTS = Set.of(
            BrokerMessages.STORE_FAILED,
            JournalMessages.WRITE_FAILED,
            JournalMessages.SUSPENDED,
            JournalMessages.QUEUE_FULL);
    private static final Set<LogMessage> ERRORS = Set.of(
            BrokerMessages.ENGINE_ERROR,
            JournalMessages.DIED,
            JournalMessages.BAD_COMPLETION,
            JournalMessages.DAMAGED,
            JournalMessages.MISSING);

    private final Simulation world;
    private long faults;
    private long full;
    private boolean muted;

    Watcher(Simulation world) {
        this.world = world;
    }

    /** Faults of the disk so far. */
    long faults() {
        return faults;
    }

    /** Those that are no matter of the journal's queue. */
    long diskFaults() {
        return faults - full;
    }

    /** Those that are. */
    long full() {
        return full;
    }

    private static boolean isFull(LogMessage message, Object... arguments) {
        return message == JournalMessages.QUEUE_FULL
                || Arrays.stream(arguments)
                        .anyMatch(a -> a instanceof JournalFault f && f.reason() == JournalFault.Reason.QUEUE_FULL);
    }

    /** Nobody cares what a dead broker says, or one without power. */
    void mute(boolean on) {
        muted = on;
    }

    @Override
    public boolean wants(LogMessage message) {
        return message == JournalMessages.RESUMED || FAULTS.contains(message) || ERRORS.contains(message);
    }

    @Override
    public void log(LogMessage message, Object... arguments) {
        if (muted || world.disk().lostPower()) {
            return;
        }
        if (message == JournalMessages.RESUMED) {
            world.books.written();
        } else if (FAULTS.contains(message)) {
            faults++;
            full += isFull(message, arguments) ? 1 : 0;
            world.log("  LOG " + message + " " + Arrays.toString(arguments));
        } else if (ERRORS.contains(message)) {
            world.wrong("the broker logs " + message + " " + Arrays.toString(arguments));
        }
    }
}
