package io.weir.proxy.cache.disk;

import io.weir.proxy.cache.disk.files.Folder;
import io.weir.proxy.cache.disk.files.RealFolder;
import io.weir.proxy.cache.disk.files.SegmentFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/**
 * A real folder whose disk is cold, slow or hangs when a test wants it, and that notes which threads wait for it: a muxer
 * must never. Shared.
 */
public final class WatchedDisk implements Folder {
    private final Folder real;
    private final Set<String> waited = ConcurrentHashMap.newKeySet();
    private final AtomicLong reads = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicInteger hanging = new AtomicInteger();
    private volatile Duration delay = Duration.ZERO;
    private volatile CountDownLatch open = new CountDownLatch(0);
    private volatile boolean keeps;
    private volatile long hole = -1;
    private volatile boolean cold;
    private volatile boolean broken;

    WatchedDisk(Path path) throws IOException {
        real = RealFolder.open(path);
    }

    public static WatchedDisk open(Path path) throws IOException {
        return new WatchedDisk(path);
    }

    /** A tier of one partition, which is this. */
    public DiskFolders folders(long size, RandomGenerator random) throws IOException {
        return new DiskFolders(List.of(new DiskFolders.Opened("part1", size, this)), DiskFolders.Own.UNKNOWN, random);
    }

    /** From now on nothing is in the page cache, and each read takes so long. */
    public void slow(Duration each) {
        cold = true;
        delay = each;
    }

    /** From now on the page cache tells what it has. */
    public void warm() {
        cold = false;
        delay = Duration.ZERO;
    }

    /** From now on reads hang until the latch is open. */
    public void hang(CountDownLatch until) {
        cold = true;
        open = until;
    }

    /** The page cache is said to have everything, whatever else the machine does, but what it {@link #loses}. */
    public WatchedDisk keeps() {
        keeps = true;
        return this;
    }

    /** The page cache is said not to have the byte at a position of any file; negative: it has all of them. */
    public void loses(long position) {
        hole = position;
    }

    /** From now on the byte at a position of any file is not in the page cache, and cannot be read. */
    public void breaks(long position) {
        hole = position;
        broken = true;
    }

    /** Reads that hang now. */
    public int hanging() {
        return hanging.get();
    }

    /** Reads so far. */
    public long reads() {
        return reads.get();
    }

    /** Bytes that were read so far. */
    public long bytesRead() {
        return bytes.get();
    }

    /** Names of the threads that called something of the disk for which they may have to wait. */
    public Set<String> waited() {
        return waited;
    }

    private void waits() {
        waited.add(Thread.currentThread().getName());
    }

    @Override
    public boolean claim() throws IOException {
        waits();
        return real.claim();
    }

    @Override
    public List<String> names() throws IOException {
        waits();
        return real.names();
    }

    @Override
    public SegmentFile create(String name) throws IOException {
        waits();
        return new Watched(real.create(name));
    }

    @Override
    public SegmentFile open(String name) throws IOException {
        waits();
        return new Watched(real.open(name));
    }

    @Override
    public void delete(String name) throws IOException {
        waits();
        real.delete(name);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        waits();
        real.rename(from, to);
    }

    @Override
    public long totalBytes() throws IOException {
        waits();
        return real.totalBytes();
    }

    @Override
    public void mark(boolean unusable) throws IOException {
        waits();
        real.mark(unusable);
    }

    @Override
    public boolean marked() throws IOException {
        waits();
        return real.marked();
    }

    @Override
    public long usableBytes() throws IOException {
        waits();
        return real.usableBytes();
    }

    @Override
    public void close() {
        real.close();
    }

    private final class Watched implements SegmentFile {
        private final SegmentFile file;

        Watched(SegmentFile file) {
            this.file = file;
        }

        @Override
        public void write(ByteBuffer from, long position) throws IOException {
            waits();
            file.write(from, position);
        }

        @Override
        public int read(ByteBuffer into, long position) throws IOException {
            waits();
            if (broken && lost(position, into.remaining())) {
                throw new IOException("broken");
            }
            hanging.incrementAndGet();
            try {
                open.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            } finally {
                hanging.decrementAndGet();
            }
            if (!delay.isZero()) {
                LockSupport.parkNanos(delay.toNanos());
            }
            int n = file.read(into, position);
            reads.incrementAndGet();
            bytes.addAndGet(n);
            return n;
        }

        /** As the system refuses it for what is not in the page cache. */
        @Override
        public boolean readNow(ByteBuffer into, long position) {
            return !cold && !lost(position, into.remaining()) && file.readNow(into, position);
        }

        @Override
        public boolean cached(long position, long length) {
            return !cold && !lost(position, length) && (keeps || file.cached(position, length));
        }

        private boolean lost(long position, long length) {
            long at = hole;
            return at >= position && at < position + length;
        }

        @Override
        public long send(int socket, long position, long most) {
            return file.send(socket, position, most);
        }

        @Override
        public void force() throws IOException {
            waits();
            file.force();
        }

        @Override
        public long size() throws IOException {
            waits();
            return file.size();
        }

        @Override
        public void truncate(long size) throws IOException {
            waits();
            file.truncate(size);
        }

        @Override
        public void close() {
            file.close();
        }
    }
}
