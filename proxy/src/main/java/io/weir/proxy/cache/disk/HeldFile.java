package io.weir.proxy.cache.disk;

import io.weir.proxy.cache.disk.files.SegmentFile;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A file that stays open for those that read it, also when it was removed. Shared. */
abstract class HeldFile {
    final SegmentFile file;
    /** Of answers in memory. */
    final Set<SegmentBody> bodies = ConcurrentHashMap.newKeySet();

    /** Damage was found in it: nothing of it is sent without being compared. */
    private volatile boolean doubtful;

    private final AtomicInteger users = new AtomicInteger(1);

    HeldFile(SegmentFile file) {
        this.file = file;
    }

    /** Bytes that it has of the disk. */
    abstract long bytes();

    /** Nobody uses it any more, and it was closed. */
    abstract void closed();

    /** Keeps the file open until {@link #release}; false if it was closed. */
    boolean retain() {
        for (int now = users.get(); now > 0; now = users.get()) {
            if (users.compareAndSet(now, now + 1)) {
                return true;
            }
        }
        return false;
    }

    void release() {
        if (users.decrementAndGet() == 0) {
            file.close();
            closed();
        }
    }

    /** Damage was found in it. */
    void doubt() {
        doubtful = true;
    }

    boolean doubtful() {
        return doubtful;
    }

    /** Whether somebody still reads it after it was removed. */
    boolean used() {
        return users.get() > 0;
    }

    /** Closes the file although somebody reads it: those reads fail. */
    void cut() {
        file.close();
    }
}
