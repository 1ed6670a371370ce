package io.weir.broker.queue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Which consumer has which message group (JMSXGroupID): the first that is given a message of it, until it closes. What
 * that one's selector does not let through goes to the first that is given such a message, and so on. The number of
 * owners is bounded; beyond it, each message of a group without an owner goes to the next consumer. Confined to the
 * queue's loop.
 */
final class MessageGroups {
    /** Owners of groups remembered for one queue. */
    static final int MOST = 100_000;

    private final Map<String, List<QueueConsumer>> owners = new HashMap<>();
    private int size;

    /**
     * Whether a message of a group may go to a consumer that wants it.
     *
     * @param wants whether another consumer would take it
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

    /** The consumer closed; true when it had groups. */
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
