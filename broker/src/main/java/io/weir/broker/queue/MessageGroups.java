package io.weir.broker.queue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Which consumer owns which message group (JMSXGroupID): the first that gets a message of it, until it closes or another
 * consumer comes. Consumers get messages in turn, so new groups are spread over them. When a consumer comes, each group
 * without a message at its owner is free again, and each other one as soon as its messages there are settled: so the
 * newcomer gets its part, and the order of a group holds. Messages that the owner's selector does not match are owned by
 * the first other consumer that gets one, and so on. The number of owners is bounded; beyond it, each message of a group
 * without an owner goes to the next consumer. Confined to the queue's loop.
 */
final class MessageGroups {
    /** Maximum owners of groups of one queue. */
    static final int MOST = 100_000;

    private final Map<String, Group> groups = new HashMap<>();
    private int size;

    /** One group that has an owner, or messages at consumers. */
    private static final class Group {
        final List<QueueConsumer> owners = new ArrayList<>(1);
        /** Its messages at consumers. */
        int away;
        /** A consumer has come since it got its owner. */
        boolean leaving;
    }

    /**
     * Whether a message of a group can go to a consumer that matches it.
     *
     * @param wants whether another consumer matches it
     */
    boolean allows(String group, QueueConsumer c, Predicate<QueueConsumer> wants) {
        Group g = groups.get(group);
        if (g == null) {
            return true;
        }
        for (QueueConsumer owner : g.owners) {
            if (owner == c) {
                return true;
            }
            if (wants.test(owner)) {
                return false;
            }
        }
        return true;
    }

    /** A consumer gets a message of a group. */
    void given(String group, QueueConsumer c) {
        Group g = groups.computeIfAbsent(group, _ -> new Group());
        g.away++;
        if (!g.owners.contains(c) && size < MOST) {
            size++;
            g.owners.add(c);
        }
    }

    /** A message of a group is at a consumer of an earlier run. */
    void held(String group) {
        groups.computeIfAbsent(group, _ -> new Group()).away++;
    }

    /**
     * A message of a group is settled by its consumer, or back; returns true if the group has no owner any more, so that
     * others can get its messages now.
     */
    boolean settled(String group) {
        Group g = groups.get(group);
        if (g == null) {
            return false;
        }
        g.away--;
        boolean free = g.away <= 0 && g.leaving && !g.owners.isEmpty();
        if (free) {
            free(g);
        }
        if (g.away <= 0 && g.owners.isEmpty()) {
            groups.remove(group);
        }
        return free;
    }

    private void free(Group g) {
        size -= g.owners.size();
        g.owners.clear();
        g.leaving = false;
    }

    /** Another consumer has come; returns true if groups have no owner any more. */
    boolean rebalance() {
        boolean[] any = {false};
        groups.values().removeIf(g -> {
            if (g.away > 0) {
                g.leaving = !g.owners.isEmpty();
                return false;
            }
            any[0] = true;
            free(g);
            return true;
        });
        return any[0];
    }

    /** Removes a closed consumer; returns true if it owned groups. */
    boolean forget(QueueConsumer c) {
        int before = size;
        groups.values().removeIf(g -> {
            if (g.owners.remove(c)) {
                size--;
            }
            return g.owners.isEmpty() && g.away <= 0;
        });
        return size < before;
    }

    int size() {
        return size;
    }
}
