package io.weir.broker.queue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Which consumer owns which message group (JMSXGroupID): the first that gets a message of it, until it closes. Messages
 * that its selector does not match are owned by the first other consumer that gets one, and so on. The number of owners
 * is bounded; beyond it, each message of a group without an owner goes to the next consumer. Confined to the queue's
 * loop.
 */
final class MessageGroups {
    /** Maximum owners of groups of one queue. */
    static final int MOST = 100_000;

    private final Map<String, List<QueueConsumer>> owners = new HashMap<>();
    private int size;

    /**
     * Whether a message of a group can go to a consumer that matches it.
     *
     * @param wants whether another consumer matches it
     */
    boolean allows(String group, QueueConsumer c, Predicate<QueueConsumer> wants) {
        for (QueueConsumer owner : owners.getOrDefault(group, List.of())) {
            if (owner == c) {
                return true;
            }
            if (wants.test(owner)) {
                return false;
            }
        }
        return true;
    }

    void given(String group, QueueConsumer c) {
        List<QueueConsumer> of = owners.get(group);
        if (of == null) {
            if (size < MOST) {
                size++;
                of = new ArrayList<>(1);
                of.add(c);
                owners.put(group, of);
            }
        } else if (!of.contains(c) && size < MOST) {
            size++;
            of.add(c);
        }
    }

    /** Removes a closed consumer; returns true if it owned groups. */
    boolean forget(QueueConsumer c) {
        int before = size;
        owners.values().removeIf(of -> {
            if (of.remove(c)) {
                size--;
            }
            return of.isEmpty();
        });
        return size < before;
    }

    int size() {
        return size;
    }
}
