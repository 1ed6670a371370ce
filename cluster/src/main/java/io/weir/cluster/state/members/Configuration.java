package io.weir.cluster.state.members;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a member said that its configuration has. Immutable.
 *
 * @param incarnation of the member that said so: another life may have another configuration
 * @param singletons names of those with a class
 * @param timers their ids
 */
public record Configuration(String member, long incarnation, SortedSet<String> singletons, SortedSet<String> timers) {
    public Configuration {
        singletons = Collections.unmodifiableSortedSet(new TreeSet<>(singletons));
        timers = Collections.unmodifiableSortedSet(new TreeSet<>(timers));
    }
}
