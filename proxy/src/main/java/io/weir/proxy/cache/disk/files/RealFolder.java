package io.weir.proxy.cache.disk.files;

import io.weir.base.OwnerOnly;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A folder on a disk, locked against other processes; only its owner may read it, since it holds what clients got. */
public final class RealFolder implements Folder {
    private static final String LOCK = "lock";

    private final Path path;
    private final FileChannel locked;
    private final @Nullable PageCache pages;
    private boolean claimed;

    private RealFolder(Path path, FileChannel locked, @Nullable PageCache pages) {
        this.path = path;
        this.locked = locked;
        this.pages = pages;
    }

    /** Creates the folder if there is none. Fails if another process, or another cache, uses it. */
    public static RealFolder open(Path path) throws IOException {
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
    public static RealFolder unclaimed(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            OwnerOnly.folder(path);
        } else if (isEmpty(path)) {
            tighten(path);
        }
        Path lock = path.resolve(LOCK);
        FileChannel locked =
                OwnerOnly.open(lock, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        return new RealFolder(path, locked, pages(locked, lock));
    }

    private static boolean isEmpty(Path path) throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            return files.findAny().isEmpty();
        }
    }

    private static void tighten(Path path) {
        try {
            OwnerOnly.tighten(path.toRealPath());
        } catch (IOException | UnsupportedOperationException _) {
            // another user's, or a file system without permissions: its files are private
        }
    }

    /** Whether another process uses a folder as its cache now. */
    public static boolean isHeld(Path path) throws IOException {
        Path lock = path.resolve(LOCK);
        if (!Files.isRegularFile(lock, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.READ);
                FileLock shared = channel.tryLock(0, Long.MAX_VALUE, true)) {
            return shared == null;
        } catch (OverlappingFileLockException _) {
            return true;
        }
    }

    private static @Nullable PageCache pages(FileChannel lock, Path path) {
        try {
            if (lock.size() == 0) {
                // the mark; reading it shows what the file system can do, too
                lock.write(ByteBuffer.wrap(new byte[1]), 0);
            }
            return PageCache.of(path, PageCache.isMemory(path));
        } catch (IOException _) {
            // a full disk: reading threads read everything
            return null;
        }
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
        return new RealFile(
                path.resolve(name),
                pages,
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
    }

    @Override
    public SegmentFile open(String name) throws IOException {
        if (!Files.isRegularFile(path.resolve(name), LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("not a regular file");
        }
        return new RealFile(path.resolve(name), pages, StandardOpenOption.READ, StandardOpenOption.WRITE);
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
    public long totalBytes() throws IOException {
        return Files.getFileStore(path).getTotalSpace();
    }

    @Override
    public void mark(boolean unusable) throws IOException {
        locked.write(ByteBuffer.wrap(new byte[] {(byte) (unusable ? 1 : 0)}), 0);
        locked.force(false);
    }

    @Override
    public boolean marked() throws IOException {
        ByteBuffer mark = ByteBuffer.allocate(1);
        return locked.read(mark, 0) == 1 && mark.get(0) != 0;
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
    private static final class RealFile implements SegmentFile {
        private final FileChannel channel;
        private final Path path;
        private final @Nullable PageCache pages;
        /** A descriptor for calls past the channel; opened for the first of them, since most segments are rarely read. */
        private volatile int descriptor = PageCache.NONE;
        /** Calls with the descriptor, and one until the file is closed: nobody else gets its number meanwhile. */
        private final AtomicInteger users = new AtomicInteger(1);

        private final AtomicBoolean closed = new AtomicBoolean();

        RealFile(Path path, @Nullable PageCache pages, OpenOption... how) throws IOException {
            this.channel = OwnerOnly.open(path, how);
            this.path = path;
            this.pages = pages;
        }

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
        public boolean readNow(ByteBuffer into, long position) {
            PageCache reads = pages;
            if (reads == null || !use()) {
                return false;
            }
            try {
                long at = position;
                while (into.hasRemaining()) {
                    int n = reads.read(descriptor, into, at);
                    if (n == 0) {
                        return false;
                    }
                    at += n;
                }
                return true;
            } finally {
                unuse();
            }
        }

        @Override
        public boolean cached(long position, long length) {
            PageCache looks = pages;
            if (looks == null || !use()) {
                return false;
            }
            try {
                return looks.cached(descriptor, position, length);
            } finally {
                unuse();
            }
        }

        @Override
        public long send(int socket, long position, long most) {
            if (!use()) {
                return -1;
            }
            try {
                return SendFile.send(socket, descriptor, position, most);
            } finally {
                unuse();
            }
        }

        /** Whether there is a descriptor, which stays open until {@link #unuse}. */
        private boolean use() {
            for (int now = users.get(); now > 0; now = users.get()) {
                if (users.compareAndSet(now, now + 1)) {
                    if (descriptor != PageCache.NONE || openDescriptor() != PageCache.NONE) {
                        return true;
                    }
                    unuse();
                    return false;
                }
            }
            return false;
        }

        private void unuse() {
            if (users.decrementAndGet() == 0) {
                PageCache.close(descriptor);
            }
        }

        private synchronized int openDescriptor() {
            if (descriptor == PageCache.NONE) {
                descriptor = PageCache.open(path);
            }
            return descriptor;
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
            if (closed.compareAndSet(false, true)) {
                unuse();
            }
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
