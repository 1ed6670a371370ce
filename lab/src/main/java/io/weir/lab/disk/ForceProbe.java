package io.weir.lab.disk;

import io.weir.base.Clock;
import io.weir.journal.disk.Disk;
import io.weir.journal.disk.DiskFile;
import io.weir.journal.disk.FileDisk;
import io.weir.journal.segment.SegmentFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Measures how many forced writes a directory's disk can do in a second, which bounds a single persistent producer.
 * Immutable.
 */
public final class ForceProbe {
    private static final String FILE = "force.probe";
    private static final int BLOCK = 4096;
    /** The default size of a journal's segment. */
    private static final int SEGMENT = 32 << 20;

    private static final int CHUNK = 1 << 20;

    private ForceProbe() {}

    /**
     * The result of a measurement.
     *
     * @param perSecond forced writes in a second, one after the other, into allocated space
     */
    public record Rate(String way, long writes, Duration time, double perSecond) {}

    /** Measures writes with O_DSYNC, as Direct-Write does. */
    public static Rate direct(Path directory, Clock clock, Duration time) throws IOException {
        return measure(directory, clock, time, true);
    }

    /** Measures writes followed by a force, as Cache-Flush does. */
    public static Rate forced(Path directory, Clock clock, Duration time) throws IOException {
        return measure(directory, clock, time, false);
    }

    private static Rate measure(Path directory, Clock clock, Duration time, boolean direct) throws IOException {
        try (Prepared file = prepare(directory, direct)) {
            return file.measure(clock, time, BLOCK);
        }
    }

    /**
     * Creates a file like a journal's segment: as large, filled, forced, and opened for direct writes, or for writes that
     * are followed by a force.
     */
    public static Prepared prepare(Path directory, boolean direct) throws IOException {
        Disk disk = new FileDisk(directory);
        disk.delete(FILE);
        try (DiskFile file = disk.create(FILE)) {
            ByteBuffer zeros = ByteBuffer.allocateDirect(CHUNK);
            for (long at = 0; at < SEGMENT; at += CHUNK) {
                SegmentFiles.writeAll(file, zeros.clear(), at);
            }
            file.force();
        }
        return new Prepared(disk, disk.open(FILE, direct), direct);
    }

    /** The prepared file. Confined to its creator; closing deletes it. */
    public static final class Prepared implements AutoCloseable {
        private final Disk disk;
        private final DiskFile file;
        private final boolean direct;

        private Prepared(Disk disk, DiskFile file, boolean direct) {
            this.disk = disk;
            this.file = file;
            this.direct = direct;
        }

        /** Measures writes of this size, one after the other and without gaps, as a journal's batches are. */
        public Rate measure(Clock clock, Duration time, int bytes) throws IOException {
            return run(file, clock, time, bytes, direct);
        }

        @Override
        public void close() throws IOException {
            try {
                file.close();
            } finally {
                disk.delete(FILE);
            }
        }
    }

    private static Rate run(DiskFile file, Clock clock, Duration time, int bytes, boolean direct) throws IOException {
        ByteBuffer block = ByteBuffer.allocateDirect(bytes);
        long blocks = SEGMENT / bytes;
        long start = clock.nanos();
        long writes = 0;
        long took = 0;
        while (took < time.toNanos()) {
            block.clear().putLong(0, writes);
            file.write(block, writes % blocks * bytes);
            if (!direct) {
                file.force();
            }
            writes++;
            took = clock.nanos() - start;
        }
        String way = direct ? "O_DSYNC" : "write and force";
        return new Rate(way, writes, Duration.ofNanos(took), writes * 1e9 / took);
    }
}
