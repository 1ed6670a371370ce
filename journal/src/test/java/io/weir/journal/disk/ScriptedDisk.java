package io.weir.journal.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A disk whose creations, by their number from 1, and writes go as a test says. Shared by the journal's threads. */
public final class ScriptedDisk implements Disk {
    /** What happens before a file is made or written to. */
    @FunctionalInterface
    public interface Script {
        void creating(int number) throws IOException;

        default void writing() throws IOException {
            // goes well
        }
    }

    private final Disk disk;
    private final Script script;
    private final AtomicInteger creations = new AtomicInteger();

    public ScriptedDisk(Disk disk, Script script) {
        this.disk = disk;
        this.script = script;
    }

    @Override
    public DiskFile create(String name) throws IOException {
        script.creating(creations.incrementAndGet());
        return new ScriptedFile(disk.create(name), script);
    }

    @Override
    public List<String> list() throws IOException {
        return disk.list();
    }

    @Override
    public DiskFile open(String name, boolean direct) throws IOException {
        return new ScriptedFile(disk.open(name, direct), script);
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

    private record ScriptedFile(DiskFile file, Script script) implements DiskFile {
        @Override
        public int write(ByteBuffer from, long position) throws IOException {
            script.writing();
            return file.write(from, position);
        }

        @Override
        public int read(ByteBuffer into, long position) throws IOException {
            return file.read(into, position);
        }

        @Override
        public void force() throws IOException {
            file.force();
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void truncate(long size) throws IOException {
            file.truncate(size);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
