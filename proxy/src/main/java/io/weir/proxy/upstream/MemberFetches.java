package io.weir.proxy.upstream;

import io.weir.http.Fields;
import io.weir.proxy.context.OriginTimes;
import io.weir.proxy.members.MemberFields;
import io.weir.proxy.pool.OriginKey;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The fetches from other members of the cluster that are in progress on one muxer. Confined to it. */
final class MemberFetches {
    /** Longest silence of a member that has left the cluster. */
    private static final long HURRIED_NANOS = Duration.ofSeconds(2).toNanos();

    private final Map<OriginKey, Set<Fetch>> fetches = new HashMap<>();

    /** A request begins; to a member or anything else. */
    void begun(OriginKey to, Fetch fetch) {
        if (to.member()) {
            fetches.computeIfAbsent(to, _ -> new LinkedHashSet<>()).add(fetch);
        }
    }

    void ended(@Nullable OriginKey to, Fetch fetch) {
        Set<Fetch> known = to != null && to.member() ? fetches.get(to) : null;
        if (known != null) {
            known.remove(fetch);
            if (known.isEmpty()) {
                fetches.remove(to);
            }
        }
    }

    /** The times for one that has left. */
    static OriginTimes hurried(OriginTimes usual) {
        return new OriginTimes(
                usual.connect(),
                usual.borrow(),
                Math.min(usual.response(), HURRIED_NANOS),
                Math.min(usual.body(), HURRIED_NANOS));
    }

    /** Removes from an origin's answer what means something between members only. */
    static void clean(OriginKey from, Fields fields) {
        if (!from.member()) {
            MemberFields.removeFrom(fields);
        }
    }

    /**
     * A member is no longer one of the cluster. It may be ending in order, and sends what it has begun; one that is silent
     * would keep clients waiting for the usual times.
     */
    void left(OriginKey member) {
        List.copyOf(fetches.getOrDefault(member, Set.of())).forEach(Fetch::hurry);
    }
}
