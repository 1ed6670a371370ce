package io.weir.proxy.cache.store;

import org.jspecify.annotations.Nullable;

/**
 * Which stored answers, and fetches of other requests, a request may use, by where they were fetched from. Others are
 * invisible to it. Called on the loop of the request.
 */
public interface Permission {
    /** A request that only configured origins answer. */
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

    /**
     * Represents all requests that certain rules, and never any others, treat alike. Compared by identity. Immutable.
     */
    final class Audience {
        /** Requests that only configured origins answer. */
        public static final Audience ROUTED = new Audience();
    }

    /**
     * Whether it may use an answer that was fetched from there.
     *
     * @param from null: from a configured origin
     */
    boolean mayHave(@Nullable FetchedFrom from);

    /**
     * The audience that it waits for fetches with: before the answer arrives its origin is unknown, and a failure also
     * discloses something about that origin.
     */
    Audience audience();
}
