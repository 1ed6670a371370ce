package io.weir.proxy;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Fails a test class that leaked a buffer: what the detector reports counts as a failure. */
final class LeakCheck implements BeforeAllCallback, AfterAllCallback {
    private static final int MARKERS = 64;
    /** Whether every buffer is watched, not one in 128. */
    private static final boolean WATCHED =
            Integer.getInteger("io.netty.leakDetection.samplingInterval", 128) == 1 && ResourceLeakDetector.isEnabled();

    private static final List<String> FOUND = new CopyOnWriteArrayList<>();

    @Override
    public void beforeAll(ExtensionContext context) {
        begin();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        end();
    }

    static void begin() {
        ByteBufUtil.setLeakListener((type, records) -> FOUND.add(type + ": " + records));
        FOUND.clear();
    }

    static void end() {
        end(1);
    }

    /**
     * @param collections with one a buffer lost just before may be found by the next class only; with two not: what the
     *     first found is all where the detector looks before anything of the second is
     */
    static void end(int collections) {
        if (!WATCHED) {
            throw new AssertionError("leak detection is off");
        }
        for (int i = 0; i < collections; i++) {
            collect();
        }
        // the detector reports what was collected when the next buffer is made
        PooledByteBufAllocator.DEFAULT.directBuffer(16).release();
        if (!FOUND.isEmpty()) {
            throw new AssertionError(
                    "leaked buffers (-Dtests.leaks=paranoid shows where they were released): " + FOUND);
        }
    }

    /** One collection, and most of what follows it: the references of lost buffers go where the detector looks. */
    private static void collect() {
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        List<WeakReference<Object>> markers = new ArrayList<>();
        for (int i = 0; i < MARKERS; i++) {
            markers.add(new WeakReference<>(new Object(), queue));
        }
        System.gc();
        try {
            for (int i = 0; i < MARKERS; i++) {
                queue.remove(60_000);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            Reference.reachabilityFence(markers);
        }
    }
}
