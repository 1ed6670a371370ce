package io.weir.proxy.upstream;

import org.jspecify.annotations.Nullable;

/** How far a {@link Fetch} is. */
enum FetchPhase {
    BORROWING,
    SENDING,
    WAITING,
    READING,
    DONE;

    /**
     * What it is when the time-out of the phase has passed; null: nothing.
     *
     * @param connecting whether a connection is being opened for it
     */
    @Nullable
    OriginFault late(boolean connecting) {
        return switch (this) {
            case BORROWING -> connecting ? OriginFault.CONNECT_TIMEOUT : OriginFault.POOL_FULL;
            case SENDING, WAITING -> OriginFault.RESPONSE_TIMEOUT;
            case READING -> OriginFault.BODY_TIMEOUT;
            case DONE -> null;
        };
    }
}
