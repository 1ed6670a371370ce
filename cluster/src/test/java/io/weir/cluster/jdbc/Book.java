package io.weir.cluster.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.cluster.log.ReplicatedState;
import java.util.ArrayList;
import java.util.List;

/** A state that is the list of what was applied. Shared, by its own lock. */
final class Book implements ReplicatedState {
    private final List<String> lines = new ArrayList<>();
    private long last;
    private long term;
    private boolean leading;
    private int restored;

    @Override
    public synchronized byte[] apply(long index, byte[] command) {
        if (index <= last) {
            throw new IllegalStateException(index + " after " + last);
        }
        last = index;
        lines.add(new String(command, UTF_8));
        return Long.toString(index).getBytes(UTF_8);
    }

    @Override
    public synchronized byte[] snapshot() {
        return (last + "\n" + String.join("\n", lines)).getBytes(UTF_8);
    }

    @Override
    public synchronized void restore(byte[] snapshot) {
        List<String> all = List.of(new String(snapshot, UTF_8).split("\n"));
        last = Long.parseLong(all.getFirst());
        lines.clear();
        lines.addAll(all.subList(1, all.size()));
        restored++;
    }

    @Override
    public synchronized void leadership(boolean now, long inTerm) {
        leading = now;
        term = inTerm;
    }

    synchronized List<String> lines() {
        return List.copyOf(lines);
    }

    synchronized boolean leading() {
        return leading;
    }

    synchronized long term() {
        return term;
    }

    synchronized int restored() {
        return restored;
    }
}
