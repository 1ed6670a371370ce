package io.weir.journal;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A disk whose creations go as a test says, by their number from 1. Shared by the journal's threads. */
final class ScriptedDisk implements Disk {
    /** What happens before a file is made. */
    @FunctionalInterface
    interface Script {
        void creating(int number) throws IOException;
    }

    private final Disk disk;
    private final Script script;
    private final AtomicInteger creations = new AtomicInteger();

    ScriptedDisk(Disk disk, Script script) {
        this.disk = disk;
        this.script = script;
    }

    @Override
    public DiskFile create(String name) throws IOException {
        script.creating(creations.incrementAndGet());
        return disk.create(name);
    }

    @Override
    public List<String> list() throws IOException {
        return disk.list();
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
    public Closeable lock(String name) throws IOException {
        return disk.lock(name);
    }

    @Override
    public String place() {
        return disk.place();
    }
}
