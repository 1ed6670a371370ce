package io.weir.proxy.cache;

import org.jspecify.annotations.Nullable;

/**
 * Which answers a request may have that it does not fetch itself, by where they were fetched from. What it may not have is
 * not there for it. Asked on the loop of the request.
 */
public interface Permission {
    /** A request that only the operator's own origins answer. */
    Permission ROUTED = new Permission() {
        @Override
        public boolean mayHave(@Nullable FetchedFrom from) {
            return from == null;
        }

        @Override
        public Object kin() {
            return ROUTED;
        }
    };

    /**
     * Whether it may have an answer that was fetched from there.
     *
     * @param from null: from the operator's own origins
     */
    boolean mayHave(@Nullable FetchedFrom from);

    /**
     * Stands for all requests that rules treat alike, compared by identity. Only they wait for each other's fetches:
     * before there is an answer nobody knows where it comes from, and a failure tells of that place, too.
     */
    Object kin();
}
