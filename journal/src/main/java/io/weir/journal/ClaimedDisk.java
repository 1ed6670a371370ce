package io.weir.journal;

import io.weir.journal.disk.Disk;
import io.weir.journal.disk.DiskFile;
import io.weir.journal.disk.FileDisk;
import io.weir.journal.settings.JournalFault;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A directory that is locked for one journal before any of its files is read. {@link Journals#open} takes over the
 * lock, and releases it with the journal; otherwise {@link #close} releases it. Shared; its state is atomic.
 */
public final class ClaimedDisk implements Disk, Closeable {
    private final FileDisk disk;
    private final AtomicReference<@Nullable Closeable> lock;

    private ClaimedDisk(FileDisk disk, @Nullable Closeable lock) {
        this.disk = disk;
        this.lock = new AtomicReference<>(lock);
    }

    /**
     * Creates the directory if it does not exist, and locks it.
     *
     * @param journal the journal's name
     * @param locking false if the file system has no locks
     * @throws JournalFault if the directory is locked by another process or journal
     */
    public static ClaimedDisk of(String journal, Path directory, boolean locking) throws JournalFault, IOException {
        FileDisk disk = new FileDisk(directory);
        return new ClaimedDisk(disk, locking ? Journals.lock(journal, disk) : null);
    }

    @Override
    public Closeable lock(String name) throws IOException {
        Closeable held = lock.getAndSet(null);
        return held != null ? held : disk.lock(name);
    }

    @Override
    public void close() throws IOException {
        Closeable held = lock.getAndSet(null);
        if (held != null) {
            held.close();
        }
    }

    @Override
    public List<String> list() throws IOException {
        return disk.list();
    }

    @Override
    public DiskFile create(String name) throws IOException {
        return disk.create(name);
    }

    @Override
    public DiskFile open(String name, boolean direct) throws IOException {
        return disk.open(name, direct);
    }

    @Override
    public void delete(String name) throws IOException {
        disk.delete(name);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        disk.rename(from, to);
    }

    @Override
    public void forceDirectory() throws IOException {
        disk.forceDirectory();
    }

    @Override
    public String place() {
        return disk.place();
    }
}
