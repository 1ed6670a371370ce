package io.weir.lab.bench.disk;

import io.weir.lab.bench.peer.Peer;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** What is measured. */
public enum DiskScenario {
    /** The cost of a hit that is on the disk and not in the server's memory. */
    HITS,
    /** A load whose objects take ten times the memory, popular ones more often. */
    ZIPF,
    /** How long a start with many objects takes. */
    START,
    /** Hits while the store makes room for new objects. */
    RECLAIM;

    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The servers that can take part. */
    public Set<Peer> peers() {
        return switch (this) {
            case HITS, RECLAIM -> EnumSet.of(Peer.NGINX, Peer.SQUID, Peer.TRAFFICSERVER);
            case ZIPF -> EnumSet.allOf(Peer.class);
            case START -> EnumSet.of(Peer.NGINX, Peer.TRAFFICSERVER);
        };
    }
}
