package io.weir.broker;

import java.util.HashMap;
import java.util.Map;

/**
 * Which consumer has which message group (JMSXGroupID): the first that is given a message of it, until it closes. The
 * number of groups remembered is bounded; beyond, a group that nobody has yet goes to whoever is next, each time.
 * Confined to the queue's loop.
 */
final class Groups {
    /** Groups remembered for one queue. */
    static final int MOST = 100_000;

    private final Map<String, Consumer> owners = new HashMap<>();

    boolean allows(String group, Consumer c) {
        Consumer owner = owners.get(group);
        return owner == null || owner == c;
    }

    void given(String group, Consumer c) {
        if (owners.size() < MOST) {
            owners.putIfAbsent(group, c);
        }
    }

    /** The consumer closed; true when it had groups. */
    boolean forget(Consumer c) {
        return owners.values().removeIf(o -> o == c);
    }

    int size() {
        return owners.size();
    }
}
