package io.weir.cluster.state.deployments;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A deployment: the log contains only its identity; the contents are transferred between members. Immutable.
 *
 * @param sha256 digest of the contents, 64 hexadecimal digits
 * @param size in bytes
 * @param version index of the entry that deployed it: a redeployment has a higher one
 * @param sources members that store the contents
 */
public record Deployment(String name, String sha256, long size, long version, SortedSet<String> sources) {
    public Deployment {
        sources = Collections.unmodifiableSortedSet(new TreeSet<>(sources));
    }
}
