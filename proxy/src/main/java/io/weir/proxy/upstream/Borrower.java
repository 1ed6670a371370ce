package io.weir.proxy.upstream;

import io.weir.proxy.pool.PoolRules;
import org.jspecify.annotations.Nullable;

/** Who wants a connection to an origin, and which. Called on the muxer that it asked on. */
public interface Borrower {
    /** The connection is ready; {@code fresh}: it has never carried a request. */
    void ready(OriginConnection connection, boolean fresh);

    void unavailable(OriginFault fault, String detail);

    /**
     * The origin's name is looked up, which takes a while, or its addresses are known: a connection to one is made
     * next.
     */
    default void resolving(boolean begins) {}

    /** Whether it waits for one of its origin's connections, all of which are in use. */
    default void waits(boolean on) {}

    /** The borrower gave up while waiting. */
    boolean cancelled();

    /** Whether it asks to change the protocol, which not every connection can. */
    default boolean switches() {
        return false;
    }

    /**
     * Whether it gets only a connection that has never carried a request, also when it waited: a tunnel, of which its
     * origin could believe that the user before is at its end, and the second try after a reused one was dead.
     */
    default boolean fresh() {
        return false;
    }

    /** The rules of the pool of servers that its origin is one of; null: of none. */
    default @Nullable PoolRules rules() {
        return null;
    }

    /** How long a connection must have been silent after the answer before, nanoseconds; 0: not at all. */
    default long quiet() {
        PoolRules r = rules();
        return r == null ? 0 : r.quietNanos();
    }

    /** Which addresses it may be connected to; asked for guarded origins only. */
    OriginConnector.AddressRule rule();

    /**
     * A new connection is being made for it.
     *
     * @return how long to wait for one address, nanoseconds; 0 as configured
     */
    default long connecting() {
        return 0;
    }

    /** Most connections to its origin from this muxer, in use and idle; 0 as configured for all. */
    default int connections() {
        PoolRules r = rules();
        return r == null ? 0 : r.connections();
    }

    /** Most requests that wait for one; -1 as configured for all. */
    default int waiting() {
        PoolRules r = rules();
        return r == null ? -1 : r.waiting();
    }
}
