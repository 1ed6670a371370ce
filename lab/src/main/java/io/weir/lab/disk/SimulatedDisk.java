package io.weir.lab.disk;

import io.weir.base.Chance;
import io.weir.journal.disk.Disk;
import io.weir.journal.disk.DiskFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * A disk in memory for the journal: short writes, writes and forces that fail, a full disk, power lost at any operation
 * with unforced writes dropped and reordered by sectors. Everything follows from a seed, so that a run can be repeated.
 * Shared, behind one lock.
 */
public final class SimulatedDisk implements Disk {
    private final RandomGenerator random;
    private final long seed;
    private final TreeMap<String, SimulatedFile> files = new TreeMap<>();
    /** Names deleted since the directory was last forced: they may reappear. */
    private final TreeMap<String, SimulatedFile> deleted = new TreeMap<>();

    private long operations;
    private long crashAt = Long.MAX_VALUE;
    private boolean dead;
    private long capacity = Long.MAX_VALUE;
    private boolean shortWrites;
    private int failingWrites;
    private int failingForces;
    private boolean locked;

    /** An empty disk. */
    public SimulatedDisk(Chance chance) {
        this.random = chance.random();
        this.seed = chance.seed();
    }

    /** Writes, forces, creations and deletions so far. */
    public synchronized long operations() {
        return operations;
    }

    /** Loses power at the operation with this number, counted from now: nothing works after it. */
    public synchronized SimulatedDisk losePowerAfter(long more) {
        crashAt = operations + more;
        return this;
    }

    /** Makes writes take only some of the bytes. */
    public synchronized SimulatedDisk writeShort(boolean on) {
        shortWrites = on;
        return this;
    }

    /** Makes this many of the next writes fail, having partly reached the disk. */
    public synchronized void failWrites(int next) {
        failingWrites = next;
    }

    /**
     * Makes this many of the next forces fail; what they were to force is partly lost, and not restored by a later
     * force.
     */
    public synchronized void failForces(int next) {
        failingForces = next;
    }

    /** Limits the size of all files together. */
    public synchronized void capacity(long bytes) {
        capacity = bytes;
    }

    public synchronized long used() {
        return files.values().stream().mapToLong(SimulatedFile::size).sum();
    }

    public synchronized boolean lostPower() {
        return dead;
    }

    /** The disk after a power loss: of what was not forced, the seed decides what is left. */
    public synchronized SimulatedDisk afterPowerLoss() {
        SimulatedDisk left = new SimulatedDisk(Chance.seeded(random.nextLong()));
        files.forEach((name, f) -> {
            if (f.named || random.nextBoolean()) {
                left.files.put(name, f.afterPowerLoss(random));
            }
        });
        deleted.forEach((name, f) -> {
            if (random.nextBoolean()) {
                left.files.putIfAbsent(name, f.afterPowerLoss(random));
            }
        });
        return left;
    }

    /** The disk after only the process died: everything that was written. */
    public synchronized SimulatedDisk afterKill() {
        SimulatedDisk left = new SimulatedDisk(Chance.seeded(random.nextLong()));
        files.forEach((name, f) -> left.files.put(name, f.settled()));
        return left;
    }

    /** Flips a bit of a file. */
    public synchronized void flip(String name, long offset, int bit) {
        file(name).flip((int) offset, bit);
    }

    /** The bytes of a file as readers see them. */
    public synchronized byte[] bytes(String name) {
        return file(name).seen().clone();
    }

    /** Removes a file. */
    public synchronized void lose(String name) {
        files.remove(name);
    }

    @Override
    public synchronized List<String> list() {
        return new ArrayList<>(files.keySet());
    }

    @Override
    public synchronized DiskFile create(String name) throws IOException {
        step();
        if (files.containsKey(name)) {
            throw new IOException(name + " exists");
        }
        files.put(name, new SimulatedFile());
        return new Handle(name, file(name), false);
    }

    @Override
    public synchronized DiskFile open(String name, boolean direct) throws IOException {
        alive();
        return new Handle(name, file(name), direct);
    }

    @Override
    public synchronized void delete(String name) throws IOException {
        step();
        SimulatedFile f = files.remove(name);
        if (f != null && f.named) {
            deleted.put(name, f);
        }
    }

    /** Renames immediately and durably: file systems write names to their journal. */
    @Override
    public synchronized void rename(String from, String to) throws IOException {
        step();
        SimulatedFile f = file(from);
        files.remove(from);
        f.named = true;
        files.put(to, f);
    }

    @Override
    public synchronized void forceDirectory() throws IOException {
        step();
        files.values().forEach(f -> f.named = true);
        deleted.clear();
    }

    @Override
    public synchronized Closeable lock(String name) throws IOException {
        if (locked) {
            throw new IOException("held already");
        }
        locked = true;
        return this::unlock;
    }

    private synchronized void unlock() {
        locked = false;
    }

    @Override
    public String place() {
        return "a simulated disk (seed " + seed + ")";
    }

    private SimulatedFile file(String name) {
        SimulatedFile f = files.get(name);
        if (f == null) {
            throw new IllegalStateException("no file " + name);
        }
        return f;
    }

    private void alive() throws IOException {
        if (dead) {
            throw new IOException("power lost");
        }
    }

    private void step() throws IOException {
        alive();
        operations++;
        if (operations >= crashAt) {
            dead = true;
            throw new IOException("power lost");
        }
    }

    private synchronized int write(SimulatedFile f, ByteBuffer from, long position, boolean direct) throws IOException {
        alive();
        IOException lost = null;
        try {
            step();
        } catch (IOException e) {
            lost = e;
        }
        boolean fails = lost == null && failingWrites > 0;
        int n = length(f, from.remaining(), position, fails || lost != null);
        byte[] bytes = new byte[n];
        from.get(bytes);
        f.write((int) position, bytes);
        if (lost != null) {
            throw lost;
        }
        if (fails) {
            failingWrites--;
            f.forceBadly(random);
            throw new IOException("simulated write error");
        }
        if (direct) {
            f.force();
        }
        return n;
    }

    private int length(SimulatedFile f, int wanted, long position, boolean fails) throws IOException {
        long growth = Math.max(0, position + wanted - f.size());
        long room = capacity - used();
        int n = growth <= room ? wanted : (int) Math.max(0, wanted - (growth - room));
        if (n == 0 && wanted > 0) {
            throw new IOException("No space left on device");
        }
        return shortWrites && n > 1 && !fails && random.nextInt(3) == 0 ? 1 + random.nextInt(n) : n;
    }

    private synchronized void force(SimulatedFile f) throws IOException {
        step();
        if (failingForces > 0) {
            failingForces--;
            f.forceBadly(random);
            throw new IOException("simulated force error");
        }
        f.force();
    }

    private synchronized int read(SimulatedFile f, ByteBuffer into, long position) throws IOException {
        alive();
        if (position >= f.size()) {
            return -1;
        }
        int n = (int) Math.min(into.remaining(), f.size() - position);
        into.put(f.seen(), (int) position, n);
        return n;
    }

    private synchronized void truncate(SimulatedFile f, long size) throws IOException {
        step();
        f.truncate((int) size);
    }

    /** An open file. */
    private final class Handle implements DiskFile {
        private final String name;
        private final SimulatedFile file;
        private final boolean direct;
        private boolean closed;

        Handle(String name, SimulatedFile file, boolean direct) {
            this.name = name;
            this.file = file;
            this.direct = direct;
        }

        @Override
        public int write(ByteBuffer from, long position) throws IOException {
            open();
            return SimulatedDisk.this.write(file, from, position, direct);
        }

        @Override
        public int read(ByteBuffer into, long position) throws IOException {
            open();
            return SimulatedDisk.this.read(file, into, position);
        }

        @Override
        public void force() throws IOException {
            open();
            SimulatedDisk.this.force(file);
        }

        @Override
        public long size() {
            return file.size();
        }

        @Override
        public void truncate(long size) throws IOException {
            open();
            SimulatedDisk.this.truncate(file, size);
        }

        @Override
        public void close() {
            closed = true;
        }

        private void open() throws IOException {
            if (closed) {
                throw new IOException(name + " is closed");
            }
        }
    }
}
