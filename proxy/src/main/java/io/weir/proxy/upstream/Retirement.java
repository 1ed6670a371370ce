package io.weir.proxy.upstream;

import java.util.Locale;

/** Why the pool closes a connection that could have been reused; the label of its counter. */
enum Retirement {
    /** It carried the maximum number of requests. */
    MAX_USES,
    /** The bound on connections was lowered. */
    MAX_CONNECTIONS,
    /** The bound on idle connections was reached. */
    MAX_IDLE,
    /** Its origin was evicted for another one. */
    MAX_ORIGINS,
    IDLE_TIME_OUT,
    /** Its origin announced that it is about to close it (Keep-Alive: timeout). */
    ANNOUNCED,
    /** A request needed a new connection, and this one occupied the place. */
    REPLACED,
    /** The origin is no longer in the configuration, or its name has other addresses. */
    ORIGIN_LEFT,
    /** Trust or certificate towards origins changed since it was made. */
    TLS_CHANGED,
    /** The server stops. */
    STOP,
    /** It was found dead when it was to be reused. */
    DEAD;

    /** The spelling in its counter. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
