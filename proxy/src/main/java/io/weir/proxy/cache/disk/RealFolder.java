package io.weir.proxy.cache.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

/** A folder on a disk, locked against other processes; only its owner may read it, since it holds what clients got. */
final class RealFolder implements Folder {
    private static final String LOCK = "lock";

    private final Path path;
    private final FileChannel locked;
    private boolean claimed;

    private RealFolder(Path path, FileChannel locked) {
        this.path = path;
        this.locked = locked;
    }

    /** Creates the folder if there is none. Fails if another process, or another cache, uses it. */
    static RealFolder open(Path path) throws IOException {
        RealFolder folder = unclaimed(path);
        try {
            if (folder.claim()) {
                return folder;
            }
        } catch (IOException e) {
            folder.close();
            throw e;
        }
        folder.close();
        throw new IOException("another server uses " + path + " as its cache");
    }

    /** Creates the folder if there is none; another process may still use it. */
    static RealFolder unclaimed(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            Files.createDirectories(
                    path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        return new RealFolder(
                path, FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE));
    }

    @Override
    public boolean claim() throws IOException {
        try {
            claimed = claimed || locked.tryLock() != null;
        } catch (OverlappingFileLockException _) {
            // by another cache of this process
        }
        return claimed;
    }

    @Override
    public List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            return files.map(file -> file.getFileName().toString()).toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    @Override
    public SegmentFile create(String name) throws IOException {
        return new RealFile(FileChannel.open(
                path.resolve(name), StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    @Override
    public SegmentFile open(String name) throws IOException {
        if (!Files.isRegularFile(path.resolve(name), LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("not a regular file");
        }
        return new RealFile(FileChannel.open(path.resolve(name), StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    @Override
    public void delete(String name) throws IOException {
        Files.deleteIfExists(path.resolve(name));
    }

    @Override
    public void rename(String from, String to) throws IOException {
        Files.move(path.resolve(from), path.resolve(to), StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel folder = FileChannel.open(path, StandardOpenOption.READ)) {
            folder.force(true);
        }
    }

    @Override
    public long usableBytes() throws IOException {
        return Files.getFileStore(path).getUsableSpace();
    }

    @Override
    public void close() {
        RealFile.close(locked);
    }

    /** A file of the folder. */
    private record RealFile(FileChannel channel) implements SegmentFile {
        @Override
        public void write(ByteBuffer from, long position) throws IOException {
            long at = position;
            while (from.hasRemaining()) {
                at += channel.write(from, at);
            }
        }

        @Override
        public int read(ByteBuffer into, long position) throws IOException {
            int total = 0;
            while (into.hasRemaining()) {
                int n = channel.read(into, position + total);
                if (n < 0) {
                    break;
                }
                total += n;
            }
            return total;
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
        public void truncate(long bytes) throws IOException {
            channel.truncate(bytes);
        }

        @Override
        public void close() {
            close(channel);
        }

        static void close(FileChannel channel) {
            try {
                channel.close();
            } catch (IOException _) {
                // it was only read from, or what was written to it is checked when it is read
            }
        }
    }
}
