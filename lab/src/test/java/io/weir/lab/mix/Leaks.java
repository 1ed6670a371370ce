package io.weir.lab.mix;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What Netty's detector says about buffers that nobody released. Process-wide; one at a time. */
final class Leaks {
    private static final int ROUNDS = 3;
    private static final int MOST = 10;
    private final List<String> found = new CopyOnWriteArrayList<>();

    Leaks() {
        ByteBufUtil.setLeakListener((type, records) -> {
            if (found.size() < MOST) {
                found.add(type + ": " + records);
            }
        });
    }

    /** What was found so far, of all that is garbage by now. */
    List<String> found() {
        for (int i = 0; i < ROUNDS; i++) {
            System.gc();
            // the detector reports what was collected when the next buffer is made
            PooledByteBufAllocator.DEFAULT.directBuffer(16).release();
        }
        return List.copyOf(found);
    }
}
