package io.weir.proxy;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Fails a test class that leaked a buffer: what the paranoid detector reports counts as a failure. */
final class LeakCheck implements BeforeAllCallback, AfterAllCallback {
    private static final int ROUNDS = 3;
    private static final List<String> FOUND = new CopyOnWriteArrayList<>();

    @Override
    public void beforeAll(ExtensionContext context) {
        ByteBufUtil.setLeakListener((type, records) -> FOUND.add(type + ": " + records));
        FOUND.clear();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (ResourceLeakDetector.getLevel() != ResourceLeakDetector.Level.PARANOID) {
            throw new AssertionError("leak detection is off");
        }
        for (int i = 0; i < ROUNDS; i++) {
            System.gc();
            // the detector reports what was collected when the next buffer is made
            PooledByteBufAllocator.DEFAULT.directBuffer(16).release();
        }
        if (!FOUND.isEmpty()) {
            throw new AssertionError("leaked buffers: " + FOUND);
        }
    }
}
