package io.weir.lab.disk;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * One file: the content that readers see, and what would be left after a power loss. Sectors that were written but not
 * forced may be left in any state that they had since. Confined to its disk.
 */
final class SimulatedFile {
    static final int SECTOR = 512;

    private byte[] seen = new byte[0];
    private byte[] durable = new byte[0];
    private int durableSize;
    /** States that unforced sectors had, the latest last. */
    private final TreeMap<Integer, List<byte[]>> unforced = new TreeMap<>();

    /** Whether the file's name survives a power loss. */
    boolean named;

    int size() {
        return seen.length;
    }

    byte[] seen() {
        return seen;
    }

    void write(int at, byte[] bytes) {
        if (at + bytes.length > seen.length) {
            seen = Arrays.copyOf(seen, at + bytes.length);
        }
        System.arraycopy(bytes, 0, seen, at, bytes.length);
        for (int s = at / SECTOR; s * SECTOR < at + bytes.length; s++) {
            unforced.computeIfAbsent(s, _ -> new ArrayList<>()).add(sector(s));
        }
    }

    void truncate(int size) {
        if (size < seen.length) {
            seen = Arrays.copyOf(seen, size);
            durableSize = Math.min(size, durableSize);
            durable = Arrays.copyOf(durable, durableSize);
            unforced.tailMap(size / SECTOR).clear();
        }
    }

    void force() {
        unforced.keySet().forEach(this::settle);
        unforced.clear();
    }

    /** A failed fsync: some sectors are written, and the system forgets that the others are not. */
    void forceBadly(RandomGenerator random) {
        lose(random);
        unforced.clear();
    }

    /** The file after a power loss. */
    SimulatedFile afterPowerLoss(RandomGenerator random) {
        lose(random);
        SimulatedFile left = new SimulatedFile();
        left.seen = Arrays.copyOf(durable, durableSize);
        left.durable = left.seen.clone();
        left.durableSize = durableSize;
        left.named = true;
        return left;
    }

    private void lose(RandomGenerator random) {
        boolean all = random.nextInt(8) == 0;
        unforced.forEach((s, states) -> {
            int which = all ? states.size() - 1 : random.nextInt(states.size() + 1) - 1;
            if (which >= 0) {
                put(s, states.get(which));
            }
        });
    }

    private void settle(int s) {
        put(s, sector(s));
    }

    private void put(int s, byte[] state) {
        int at = s * SECTOR;
        int end = at + state.length;
        if (end > durable.length) {
            // a file that grows by sectors is copied a few times, not for each sector
            durable = Arrays.copyOf(durable, Math.max(end, 2 * durable.length));
        }
        durableSize = Math.max(durableSize, end);
        System.arraycopy(state, 0, durable, at, state.length);
    }

    private byte[] sector(int s) {
        return Arrays.copyOfRange(seen, s * SECTOR, Math.min(seen.length, (s + 1) * SECTOR));
    }

    /** A copy of what readers see, all of it durable. */
    SimulatedFile settled() {
        SimulatedFile f = new SimulatedFile();
        f.seen = seen.clone();
        f.durable = seen.clone();
        f.durableSize = seen.length;
        f.named = true;
        return f;
    }

    void flip(int at, int bit) {
        seen[at] ^= (byte) (1 << bit);
        if (at < durableSize) {
            durable[at] ^= (byte) (1 << bit);
        }
    }
}
