package io.weir.lab.cluster;

import io.weir.base.Fence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a timer that fires each second did, in the order in which its listeners noted it. Immutable.
 *
 * @param byTime for each scheduled time, in seconds, the fences with which it fired
 */
record Firings(List<Long> order, Map<Long, List<Fence>> byTime) {
    /** @param notes lines: id, scheduled milliseconds, fence, member */
    static Firings of(List<String> notes) {
        List<Long> order = new ArrayList<>();
        Map<Long, List<Fence>> byTime = new TreeMap<>();
        for (String note : notes) {
            String[] words = note.split(" ", -1);
            long second = Long.parseLong(words[1]) / 1000;
            String[] fence = words[2].split("\\.", -1);
            order.add(second);
            byTime.computeIfAbsent(second, _ -> new ArrayList<>())
                    .add(new Fence(Long.parseLong(fence[0]), Long.parseLong(fence[1])));
        }
        return new Firings(order, byTime);
    }

    /** Times that did not fire, and times that fired again without a higher fence, or after a later fence had fired. */
    List<String> violations() {
        List<String> found = new ArrayList<>();
        long before = -1;
        Fence highest = Fence.NONE;
        for (Map.Entry<Long, List<Fence>> e : byTime.entrySet()) {
            if (before >= 0 && e.getKey() != before + 1) {
                found.add("nothing fired between " + before + " and " + e.getKey());
            }
            before = e.getKey();
            for (int i = 1; i < e.getValue().size(); i++) {
                if (e.getValue().get(i).compareTo(e.getValue().get(i - 1)) <= 0) {
                    found.add(e.getKey() + " fired with " + e.getValue());
                }
            }
            if (e.getValue().getFirst().compareTo(highest) < 0) {
                found.add(e.getKey() + " fired with " + e.getValue() + " after " + highest);
            }
            highest = e.getValue().getLast();
        }
        return found;
    }

    /** Times that fired more than once. */
    List<Long> repeated() {
        return byTime.entrySet().stream()
                .filter(e -> e.getValue().size() > 1)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** In words. */
    String told() {
        return byTime.size() + " times fired " + order.size() + " times, with "
                + byTime.values().stream().flatMap(List::stream).distinct().count() + " fences";
    }
}
