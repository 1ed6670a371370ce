package io.weir.lab.disk;

import io.weir.base.Clock;
import io.weir.journal.disk.Disk;
import io.weir.journal.disk.DiskFile;
import io.weir.journal.disk.FileDisk;
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
    private static final int BLOCKS = 1024;

    private ForceProbe() {}

    /**
     * The result of a measurement.
     *
     * @param perSecond forced writes of 4 KiB in a second, one after the other, into allocated space
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
        Disk disk = new FileDisk(directory);
        disk.delete(FILE);
        try {
            try (DiskFile file = disk.create(FILE)) {
                file.write(ByteBuffer.allocateDirect(BLOCK * BLOCKS), 0);
                file.force();
            }
            try (DiskFile file = disk.open(FILE, direct)) {
                return run(file, clock, time, direct);
            }
        } finally {
            disk.delete(FILE);
        }
    }

    private static Rate run(DiskFile file, Clock clock, Duration time, boolean direct) throws IOException {
        ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
        long start = clock.nanos();
        long writes = 0;
        long took = 0;
        while (took < time.toNanos()) {
            block.clear().putLong(0, writes);
            file.write(block, writes % BLOCKS * BLOCK);
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
