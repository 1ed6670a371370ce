package io.weir.lab.cluster.service;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.base.Fence;
import io.weir.base.SystemClock;
import io.weir.cluster.ServiceLease;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * What services of one process do and when, on the machine's monotonic clock, in files that survive its death: a line for each
 * step, and for each activation the last moment at which it worked. They work all the time while their lease has time left. A
 * process that stood still says so, too. Shared; lives as long as the process.
 */
final class Diary {
    /** Steps, as the first word of a line. */
    static final String ENTERED = "entered";

    static final String ACTIVE = "active";
    static final String FAILED = "failed";
    static final String CALLED = "called";
    static final String ENDED = "ended";
    static final String LOST = "lost";
    static final String STALLED = "stalled";

    /** Names of the files: lines, and moments of 8 bytes each. */
    static final String LINES = "diary-";

    static final String MOMENTS = "moments-";

    private static final int SLOTS = 50_000;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final Diary ONE = new Diary();

    // not a channel, which an interrupt would close for all
    private final FileOutputStream lines;
    private final MappedByteBuffer moments;
    private final AtomicInteger slots = new AtomicInteger();
    private final Map<Stay, ServiceLease> working = new ConcurrentHashMap<>();

    /** One activation. */
    static final class Stay {
        private final String service;
        private final Fence fence;
        private final int slot;

        private Stay(String service, Fence fence, int slot) {
            this.service = service;
            this.fence = fence;
            this.slot = slot;
        }

        /** Takes a step. */
        void step(String step) {
            ONE.line(step + " " + service + " " + fence + " " + slot + " " + now());
        }

        /** It works no more, and takes its last step. */
        void over(String step) {
            ONE.working.remove(this);
            step(step);
        }
    }

    private Diary() {
        Path folder = Path.of(System.getProperty("weir.test.notes", ""));
        String process = System.getProperty("weir.test.member", "nobody") + "-"
                + ProcessHandle.current().pid();
        try {
            lines = new FileOutputStream(folder.resolve(LINES + process).toFile(), true);
            try (FileChannel file = FileChannel.open(
                    folder.resolve(MOMENTS + process),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE)) {
                moments = file.map(FileChannel.MapMode.READ_WRITE, 0, SLOTS * (long) Long.BYTES);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofPlatform().daemon().name("works").start(this::work);
    }

    /** {@code activate} is called. */
    static Stay enter(String service, String shape, ServiceLease lease) {
        Stay stay = new Stay(service, lease.fence(), ONE.slots.getAndIncrement() % SLOTS);
        ONE.line(ENTERED + " " + service + " " + lease.fence() + " " + stay.slot + " " + now() + " " + shape);
        ONE.working.put(stay, lease);
        return stay;
    }

    private static long now() {
        return SystemClock.INSTANCE.nanos();
    }

    /** One write for a line: it is there when this returns, whatever becomes of the process. */
    private void line(String text) {
        try {
            lines.write((text + "\n").getBytes(UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A moment counts as one of work when the lease had time left after it. */
    private void work() {
        long last = now();
        while (true) {
            LockSupport.parkNanos(LOOK_NANOS);
            long at = now();
            if (at - last > STALL_NANOS) {
                line(STALLED + " - - 0 " + last + " " + at);
            }
            last = at;
            working.forEach((stay, lease) -> {
                long begun = now();
                if (lease.remaining().isPositive()) {
                    moments.putLong(stay.slot * Long.BYTES, begun);
                }
            });
        }
    }
}
