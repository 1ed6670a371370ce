package io.weir.cluster.sim;

import io.weir.cluster.log.ReplicatedState;
import org.jspecify.annotations.Nullable;

/**
 * What a machine has of the log: a snapshot on its disk, which survives its process, and the state machine of the process
 * that runs, with how far it applied. Confined to the simulation's thread.
 */
final class Replica {
    /** What is on the disk: a snapshot and how many entries it contains. */
    static final class OnDisk {
        final int entries;
        final byte[] snapshot;

        OnDisk(int entries, byte[] snapshot) {
            this.entries = entries;
            this.snapshot = snapshot;
        }
    }

    final Host host;

    @Nullable
    ReplicatedState machine;

    @Nullable
    ModelLog log;

    @Nullable
    OnDisk disk;
    /** Entries applied by the process that runs. */
    int applied;
    /** An application is on its way. */
    boolean busy;
    /** What this member believes of itself, whatever is true. */
    boolean leads;
    /** Applying an entry takes up to so long. */
    long slowness;

    Replica(Host host) {
        this.host = host;
    }

    String name() {
        return host.name();
    }

    boolean takesPart() {
        return machine != null && host.runs();
    }

    void died() {
        machine = null;
        log = null;
        applied = 0;
        busy = false;
        leads = false;
    }
}
