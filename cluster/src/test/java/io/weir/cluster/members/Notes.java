package io.weir.cluster.members;

import io.weir.cluster.log.ReplicatedState;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A state that remembers all commands; the answer is how many there are. */
final class Notes implements ReplicatedState {
    private volatile List<String> entries = List.of();
    private volatile boolean leading;

    List<String> entries() {
        return entries;
    }

    boolean leading() {
        return leading;
    }

    @Override
    public byte[] apply(long index, byte[] command) {
        List<String> now = new ArrayList<>(entries);
        now.add(new String(command, StandardCharsets.UTF_8));
        entries = List.copyOf(now);
        return String.valueOf(now.size()).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte[] snapshot() {
        return String.join("\n", entries).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void restore(byte[] snapshot) {
        String text = new String(snapshot, StandardCharsets.UTF_8);
        entries = text.isEmpty() ? List.of() : List.of(text.split("\n", -1));
    }

    @Override
    public void leadership(boolean now, long term) {
        leading = now;
    }
}
