package io.weir.lab.mix;

import java.util.Locale;

/**
 * What is asked for. Immutable.
 *
 * @param place by which way the origin is reached
 * @param kind first letter of the path and of the content's tags: {@code h} of all sizes, {@code v} varies, {@code b} is large,
 *     {@code x} too large to be stored
 */
record Target(Place place, String host, char kind, int number) {
    /** By which way. */
    enum Place {
        /** A reverse route to a pool of origins that speak HTTP/1. */
        REVERSE,
        /** A reverse route to an origin that speaks HTTP/2. */
        SECOND,
        /** The forward proxy. */
        FORWARD
    }

    /** As one canonical path. */
    String path() {
        return "/" + kind + "/~" + number;
    }

    /** What is the same for clients and origins, however it was spelled. */
    String key() {
        return host + path();
    }

    boolean varies() {
        return kind == 'v';
    }

    /** The path in another spelling, which means the same. */
    String spelledPath() {
        return "/" + kind + "/%7E" + number;
    }

    String spelledHost() {
        return host.toUpperCase(Locale.ROOT);
    }
}
