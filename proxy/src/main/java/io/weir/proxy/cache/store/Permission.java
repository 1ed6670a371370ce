package io.weir.proxy.cache.store;

import org.jspecify.annotations.Nullable;

/**
 * Which answers a request may have that it does not fetch itself, by where they were fetched from. What it may not have
 * is not there for it. Asked on the loop of the request.
 */
public interface Permission {
    /** A request that only the operator's own origins answer. */
    Permission ROUTED = new Permission() {
        @Override
        public boolean mayHave(@Nullable FetchedFrom from) {
            return from == null;
        }

        @Override
        public Audience audience() {
            return Audience.ROUTED;
        }
    };

    /** Stands for all requests that some rules, and no others ever, treat alike. Compared by identity. Immutable. */
    final class Audience {
        /** Those that only the operator's own origins answer. */
        public static final Audience ROUTED = new Audience();
    }

    /**
     * Whether it may have an answer that was fetched from there.
     *
     * @param from null: from the operator's own origins
     */
    boolean mayHave(@Nullable FetchedFrom from);

    /**
     * Those with whom it waits for fetches of one of them: before the answer its origin is unknown, and a failure
     * discloses something about that origin, too.
     */
    Audience audience();
}
