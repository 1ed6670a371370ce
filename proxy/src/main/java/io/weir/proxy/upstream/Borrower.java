package io.weir.proxy.upstream;

import io.weir.proxy.pool.PoolRules;
import org.jspecify.annotations.Nullable;

/**
 * A caller that needs a connection to an origin, with its requirements. Called on the muxer where it called the pool.
 */
public interface Borrower {
    /** The connection is ready; {@code fresh}: it has never carried a request. */
    void ready(OriginConnection connection, boolean fresh);

    void unavailable(OriginFault fault, String detail);

    /** The look-up of the origin's name has begun, or its addresses are known and a connection follows. */
    default void resolving(boolean begins) {}

    /** Whether it waits for one of its origin's connections, all of which are in use. */
    default void waits(boolean on) {}

    /** Whether the borrower was cancelled while waiting. */
    boolean cancelled();

    /** Whether it needs to change the protocol, which not every connection supports. */
    default boolean switches() {
        return false;
    }

    /**
     * Whether it accepts only a connection that has never carried a request, also after waiting: for a tunnel, whose
     * origin might otherwise take its bytes for part of the exchange before, and for a retry after a reused connection
     * was dead.
     */
    default boolean fresh() {
        return false;
    }

    /** The rules of its origin's server pool; null if it is in none. */
    default @Nullable PoolRules rules() {
        return null;
    }

    /** How long a connection must have been silent since its last answer, nanoseconds; 0: not at all. */
    default long quiet() {
        PoolRules r = rules();
        return r == null ? 0 : r.quietNanos();
    }

    /** Which addresses it may be connected to; called for guarded origins only. */
    OriginConnector.AddressRule rule();

    /**
     * A new connection is being made for it.
     *
     * @return time-out for connecting to one address, nanoseconds; 0: as configured
     */
    default long connecting() {
        return 0;
    }

    /** Bound on connections to its origin from this muxer, in use and idle; 0: the general configuration. */
    default int connections() {
        PoolRules r = rules();
        return r == null ? 0 : r.connections();
    }

    /** Bound on requests that wait for one; -1: the general configuration. */
    default int waiting() {
        PoolRules r = rules();
        return r == null ? -1 : r.waiting();
    }
}
