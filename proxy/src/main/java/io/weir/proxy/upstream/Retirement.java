package io.weir.proxy.upstream;

import java.util.Locale;

/** Why the pool closes a connection that could have been used again; the label of its counter. */
enum Retirement {
    /** It carried as many requests as it may. */
    MAX_USES,
    /** Fewer may be open than when it was made. */
    MAX_CONNECTIONS,
    /** More would have been idle than may be. */
    MAX_IDLE,
    /** Its origin gave way to another one. */
    MAX_ORIGINS,
    IDLE_TIME_OUT,
    /** Its origin said that it closes it about now (Keep-Alive: timeout). */
    ANNOUNCED,
    /** A request had to have a new connection, and this one held the place. */
    REPLACED,
    /** The origin is no longer in the configuration, or its name leads elsewhere. */
    ORIGIN_LEFT,
    /** Trust or certificate towards origins changed since it was made. */
    TLS_CHANGED,
    /** The server stops. */
    STOP,
    /** It was found dead when it was wanted. */
    DEAD;

    /** As its counter spells it. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
