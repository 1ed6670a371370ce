package io.weir.journal.disk;

import io.weir.base.OwnerOnly;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** A directory of the machine's file system. Immutable. */
public final class FileDisk implements Disk {
    private final Path directory;

    /** Creates the directory if it does not exist. */
    public FileDisk(Path directory) throws IOException {
        this.directory = OwnerOnly.folder(directory);
    }

    @Override
    public List<String> list() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(f -> f.getFileName().toString()).sorted().toList();
        }
    }

    @Override
    public DiskFile create(String name) throws IOException {
        return new OpenFile(OwnerOnly.open(
                directory.resolve(name),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE));
    }

    @Override
    public DiskFile open(String name, boolean direct) throws IOException {
        Path file = directory.resolve(name);
        OwnerOnly.tighten(file);
        return new OpenFile(
                direct
                        ? FileChannel.open(
                                file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DSYNC)
                        : FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    @Override
    public void delete(String name) throws IOException {
        Files.deleteIfExists(directory.resolve(name));
    }

    @Override
    public void rename(String from, String to) throws IOException {
        Files.move(
                directory.resolve(from),
                directory.resolve(to),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void forceDirectory() throws IOException {
        try (FileChannel c = FileChannel.open(directory, StandardOpenOption.READ)) {
            c.force(true);
        }
    }

    @Override
    public Closeable lock(String name) throws IOException {
        FileChannel channel = OwnerOnly.open(
                directory.resolve(name), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock == null) {
                String holder = holder(channel);
                channel.close();
                throw new IOException("another process holds it" + holder);
            }
        } catch (OverlappingFileLockException e) {
            channel.close();
            throw new IOException("this process already holds it", e);
        }
        channel.truncate(0);
        channel.write(
                ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)));
        return channel;
    }

    private static String holder(FileChannel channel) throws IOException {
        ByteBuffer b = ByteBuffer.allocate(20);
        channel.read(b, 0);
        String pid = new String(b.array(), 0, b.position(), StandardCharsets.US_ASCII);
        return pid.isEmpty() ? "" : " (process " + pid + ")";
    }

    @Override
    public String place() {
        return directory.toString();
    }

    /** One open file. */
    private record OpenFile(FileChannel channel) implements DiskFile {
        @Override
        public int write(ByteBuffer from, long position) throws IOException {
            return channel.write(from, position);
        }

        @Override
        public int read(ByteBuffer into, long position) throws IOException {
            return channel.read(into, position);
        }

        @Override
        public void force() throws IOException {
            channel.force(false);
        }

        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public void truncate(long size) throws IOException {
            channel.truncate(size);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
