package io.weir.cluster.state.members;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The names defined in a member's configuration, as reported by the member. Immutable.
 *
 * @param incarnation of the reporting member: another incarnation may have another configuration
 * @param singletons names of singletons with a class
 * @param timers ids of timers
 */
public record Configuration(String member, long incarnation, SortedSet<String> singletons, SortedSet<String> timers) {
    public Configuration {
        singletons = Collections.unmodifiableSortedSet(new TreeSet<>(singletons));
        timers = Collections.unmodifiableSortedSet(new TreeSet<>(timers));
    }
}
