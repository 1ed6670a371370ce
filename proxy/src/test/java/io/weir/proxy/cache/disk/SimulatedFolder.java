package io.weir.proxy.cache.disk;

import io.weir.proxy.cache.disk.files.Folder;
import io.weir.proxy.cache.disk.files.SegmentFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.random.RandomGenerator;

/**
 * A disk in memory that fails on demand: after so many bytes (a kill in the middle of a write), for lack of space, in
 * reads or in writes; and that loses, or keeps in any order, what was not forced (a power failure). Guarded by itself.
 */
final class SimulatedFolder implements Folder {
    private static final int SECTOR = 512;

    private final Map<String, Content> files;
    private final long capacity;
    private long untilKill = Long.MAX_VALUE;
    private boolean dead;
    boolean failsReads;
    /** Whether reads need no wait. */
    boolean cached;
    /** Reads of segments wait for it. */
    volatile CountDownLatch slow = new CountDownLatch(0);

    /** Writes to segments and bodies wait for it. */
    volatile CountDownLatch slowWrites = new CountDownLatch(0);

    boolean failsWrites;
    /** Files cannot be removed. */
    boolean failsDeletes;

    private boolean marked;

    SimulatedFolder() {
        this(new TreeMap<>(), Long.MAX_VALUE);
    }

    SimulatedFolder(long capacity) {
        this(new TreeMap<>(), capacity);
    }

    private SimulatedFolder(Map<String, Content> files, long capacity) {
        this.files = files;
        this.capacity = capacity;
    }

    private static final class Content {
        byte[] bytes = new byte[64 << 10];
        int length;
        byte[] forced = new byte[0];
        final List<long[]> unforced = new ArrayList<>();

        void write(byte[] data, long at) {
            int end = (int) at + data.length;
            if (end > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, end));
            }
            length = Math.max(length, end);
            System.arraycopy(data, 0, bytes, (int) at, data.length);
            unforced.add(new long[] {at, end});
        }
    }

    /** The process dies when it has written this many more bytes. */
    synchronized void killAfter(long bytes) {
        untilKill = bytes;
    }

    synchronized boolean dead() {
        return dead;
    }

    /** The process is dead from now on. */
    synchronized void kill() {
        dead = true;
    }

    /** What a new process finds after a kill: all that was written. */
    synchronized SimulatedFolder afterKill() {
        dead = true;
        Map<String, Content> kept = new TreeMap<>();
        files.forEach((name, content) -> {
            Content copy = new Content();
            copy.bytes = content.bytes.clone();
            copy.length = content.length;
            copy.forced = content.forced.clone();
            copy.unforced.addAll(content.unforced);
            kept.put(name, copy);
        });
        SimulatedFolder after = new SimulatedFolder(kept, capacity);
        after.marked = marked;
        return after;
    }

    /** What is there after a power failure: what was forced, and any of the sectors that were not. */
    synchronized SimulatedFolder afterPowerFailure(RandomGenerator random) {
        dead = true;
        Map<String, Content> kept = new TreeMap<>();
        files.forEach((name, content) -> {
            Content copy = new Content();
            int length = random.nextBoolean() ? content.length : content.forced.length;
            copy.bytes = Arrays.copyOf(content.forced, length);
            copy.length = length;
            for (long[] write : content.unforced) {
                for (int at = (int) write[0]; at < write[1]; at = at / SECTOR * SECTOR + SECTOR) {
                    int end = (int) Math.min(write[1], at / SECTOR * SECTOR + SECTOR);
                    if (end <= length && random.nextBoolean()) {
                        System.arraycopy(content.bytes, at, copy.bytes, at, end - at);
                    }
                }
            }
            copy.forced = copy.bytes.clone();
            kept.put(name, copy);
        });
        SimulatedFolder after = new SimulatedFolder(kept, capacity);
        after.marked = marked;
        return after;
    }

    /** Flips a bit anywhere in the segments; returns false if there are none. */
    synchronized boolean flip(RandomGenerator random) {
        List<Content> segments = files.entrySet().stream()
                .filter(file -> Segment.isName(file.getKey()) && file.getValue().length > 0)
                .map(Map.Entry::getValue)
                .toList();
        if (segments.isEmpty()) {
            return false;
        }
        Content one = segments.get(random.nextInt(segments.size()));
        one.bytes[random.nextInt(one.length)] ^= (byte) (1 << random.nextInt(8));
        return true;
    }

    /** Flips a bit of the first segment. */
    synchronized void flip(int at) {
        files.entrySet().stream()
                .filter(file -> Segment.isName(file.getKey()))
                .findFirst()
                .ifPresent(file -> file.getValue().bytes[at] ^= 1);
    }

    synchronized int segments() {
        return (int) files.keySet().stream().filter(Segment::isName).count();
    }

    synchronized int bodies() {
        return (int) files.keySet().stream().filter(BodyFile::isName).count();
    }

    /** Flips a bit of the first body with a file of its own. */
    synchronized void flipBody(int at) {
        files.entrySet().stream()
                .filter(file -> BodyFile.isName(file.getKey()))
                .findFirst()
                .ifPresent(file -> file.getValue().bytes[at] ^= 1);
    }

    synchronized long used() {
        return files.values().stream().mapToLong(content -> content.length).sum();
    }

    private void alive() throws IOException {
        if (dead) {
            throw new IOException("the process is dead");
        }
    }

    @Override
    public boolean claim() {
        return true;
    }

    @Override
    public synchronized List<String> names() throws IOException {
        alive();
        return List.copyOf(files.keySet());
    }

    @Override
    public synchronized SegmentFile create(String name) throws IOException {
        alive();
        if (failsWrites) {
            throw new IOException("Read-only file system");
        }
        if (files.containsKey(name)) {
            throw new IOException("exists: " + name);
        }
        Content content = new Content();
        files.put(name, content);
        return new Open(content, Segment.isName(name) || BodyFile.isName(name));
    }

    @Override
    public synchronized SegmentFile open(String name) throws IOException {
        alive();
        Content content = files.get(name);
        if (content == null) {
            throw new IOException("not there: " + name);
        }
        return new Open(content, Segment.isName(name) || BodyFile.isName(name));
    }

    @Override
    public synchronized void delete(String name) throws IOException {
        alive();
        if (failsDeletes) {
            throw new IOException("Operation not permitted");
        }
        files.remove(name);
    }

    @Override
    public synchronized void rename(String from, String to) throws IOException {
        alive();
        Content content = files.remove(from);
        if (content == null) {
            throw new IOException("not there: " + from);
        }
        files.put(to, content);
    }

    @Override
    public long totalBytes() {
        return capacity;
    }

    @Override
    public synchronized void mark(boolean unusable) throws IOException {
        alive();
        marked = unusable;
    }

    @Override
    public synchronized boolean marked() {
        return marked;
    }

    @Override
    public synchronized long usableBytes() {
        return capacity - used();
    }

    @Override
    public void close() {
        // nothing is open
    }

    private final class Open implements SegmentFile {
        private final Content content;
        private final boolean segment;
        private volatile boolean closed;

        Open(Content content, boolean segment) {
            this.content = content;
            this.segment = segment;
        }

        @Override
        public void write(ByteBuffer from, long position) throws IOException {
            try {
                if (segment) {
                    slowWrites.await();
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            synchronized (SimulatedFolder.this) {
                alive();
                if (failsWrites) {
                    throw new IOException("Input/output error");
                }
                int most = (int) Math.min(from.remaining(), Math.min(untilKill, Math.max(0, capacity - used())));
                byte[] data = new byte[most];
                from.get(data);
                content.write(data, position);
                untilKill -= most;
                dead = untilKill == 0;
                if (from.hasRemaining()) {
                    throw new IOException(dead ? "killed" : "No space left on device");
                }
            }
        }

        @Override
        public int read(ByteBuffer into, long position) throws IOException {
            try {
                if (segment) {
                    slow.await();
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            synchronized (SimulatedFolder.this) {
                if (failsReads || closed) {
                    throw new IOException(closed ? "closed" : "Input/output error");
                }
                int n = Math.clamp(content.length - position, 0, into.remaining());
                into.put(content.bytes, (int) position, n);
                return n;
            }
        }

        @Override
        public boolean readNow(ByteBuffer into, long position) {
            synchronized (SimulatedFolder.this) {
                if (!cached || closed || failsReads || content.length - position < into.remaining()) {
                    return false;
                }
                into.put(content.bytes, (int) position, into.remaining());
                return true;
            }
        }

        @Override
        public void force() throws IOException {
            synchronized (SimulatedFolder.this) {
                alive();
                content.forced = Arrays.copyOf(content.bytes, content.length);
                content.unforced.clear();
            }
        }

        @Override
        public long size() {
            synchronized (SimulatedFolder.this) {
                return content.length;
            }
        }

        @Override
        public void truncate(long bytes) throws IOException {
            synchronized (SimulatedFolder.this) {
                alive();
                content.length = (int) Math.min(bytes, content.length);
                Arrays.fill(content.bytes, content.length, content.bytes.length, (byte) 0);
            }
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
