package io.weir.lab.model;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who has a group of messages at a place, in the order in which they were given some: what the first one's selector does not
 * let through goes to the second, and so on. What is given at the same time to several may be seen in another order. Confined
 * to the books.
 */
final class GroupOwners {
    private final List<Owner> owners = new ArrayList<>();

    private static final class Owner {
        final PeerConsumer consumer;
        /** What it was given since everything stood still last. */
        final List<Letter> lately = new ArrayList<>();
        /** It was none when everything stood still last. */
        boolean fresh = true;

        Owner(PeerConsumer consumer) {
            this.consumer = consumer;
        }
    }

    /** One is given a letter. The other one that should have had it, or null. */
    @Nullable
    PeerConsumer given(Letter l, PeerConsumer to) {
        Owner own = find(to);
        int now = own == null ? owners.size() : owners.indexOf(own);
        int before = 0;
        while (before < now && !owners.get(before).consumer.wants(l)) {
            before++;
        }
        if (own == null) {
            own = new Owner(to);
        } else if (before < now) {
            owners.remove(own);
        }
        PeerConsumer other = before < now ? owners.get(before).consumer : null;
        boolean earlier = own.fresh;
        for (Owner o : owners.subList(before, now)) {
            // it may have been given this one first, unless it would have had to have what they were given
            earlier &= o.fresh && o.lately.stream().noneMatch(to::wants);
        }
        own.lately.add(l);
        if (!owners.contains(own)) {
            owners.add(earlier ? before : now, own);
        }
        return earlier ? null : other;
    }

    private @Nullable Owner find(PeerConsumer c) {
        return owners.stream().filter(o -> o.consumer == c).findFirst().orElse(null);
    }

    /** Whether one that wants a letter may be given it. */
    boolean mayHave(Letter l, PeerConsumer c) {
        for (Owner o : owners) {
            if (o.consumer == c) {
                return true;
            }
            if (o.consumer.wants(l)) {
                return false;
            }
        }
        return true;
    }

    void leave(PeerConsumer c) {
        owners.removeIf(o -> o.consumer == c);
    }

    /** Everything stands still: the order is certain. */
    void settle() {
        owners.forEach(o -> {
            o.fresh = false;
            o.lately.clear();
        });
    }
}
