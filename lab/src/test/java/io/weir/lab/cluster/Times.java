package io.weir.lab.cluster;

import java.util.ArrayList;
import java.util.List;

/** How long something took each time, for people and for docs/cluster.md. Confined to the test's thread. */
final class Times {
    private final List<Long> millis = new ArrayList<>();

    /** Nanoseconds. */
    void add(long nanos) {
        millis.add(nanos / 1_000_000);
    }

    int count() {
        return millis.size();
    }

    @Override
    public String toString() {
        if (millis.isEmpty()) {
            return "none";
        }
        List<Long> sorted = millis.stream().sorted().toList();
        return millis.size() + ": least " + sorted.getFirst() + " ms, median " + sorted.get(sorted.size() / 2)
                + " ms, 90 % " + sorted.get((sorted.size() * 9 - 1) / 10) + " ms, most " + sorted.getLast() + " ms "
                + sorted;
    }
}
