package io.weir.cluster.ratis;

import io.weir.cluster.log.ReplicatedState;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A state that remembers all commands in order; the answer is how many there are. */
final class Ledger implements ReplicatedState {
    private volatile List<String> entries = List.of();
    final AtomicBoolean leading = new AtomicBoolean();
    final AtomicInteger restored = new AtomicInteger();
    final AtomicInteger snapshots = new AtomicInteger();

    /** Entries wait for it. */
    volatile CountDownLatch gate = new CountDownLatch(0);

    List<String> entries() {
        return entries;
    }

    @Override
    public byte[] apply(long index, byte[] command) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        List<String> now = new ArrayList<>(entries);
        now.add(new String(command, StandardCharsets.UTF_8));
        entries = List.copyOf(now);
        return String.valueOf(now.size()).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte[] snapshot() {
        snapshots.incrementAndGet();
        return String.join("\n", entries).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void restore(byte[] snapshot) {
        restored.incrementAndGet();
        String text = new String(snapshot, StandardCharsets.UTF_8);
        entries = text.isEmpty() ? List.of() : List.of(text.split("\n", -1));
    }

    @Override
    public void leadership(boolean now, long term) {
        leading.set(now);
    }
}
