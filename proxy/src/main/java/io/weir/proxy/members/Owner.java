package io.weir.proxy.members;

import io.weir.proxy.pool.Hashing;
import io.weir.proxy.pool.OriginKey;

/** A live member whose cache answers others. Shared. */
public final class Owner {
    /** So long it is not asked after it failed; the cluster tells within the life of a lease whether it is gone. */
    private static final long REST_NANOS = 1_000_000_000;

    private final String name;
    private final OriginKey key;
    private final long seed;
    private volatile long restsUntil;
    private volatile boolean failing;

    /** @param secure whether the members encrypt what they send each other */
    public Owner(String name, boolean secure, String host, int port) {
        this.name = name;
        this.key = OriginKey.member(secure, host, port);
        this.seed = Hashing.of(name);
    }

    public String name() {
        return name;
    }

    /** Where it is reached. */
    public OriginKey key() {
        return key;
    }

    /** The member with the highest draw owns a key (rendezvous hashing). */
    long draw(long place) {
        return Hashing.mix(place ^ seed);
    }

    /** It did not answer. */
    public void failed(long nowNanos) {
        restsUntil = nowNanos + REST_NANOS;
        failing = true;
    }

    /** Another member found that it does not answer: it is asked here before that is believed. */
    void suspected() {
        if (!failing) {
            restsUntil = Long.MIN_VALUE;
            failing = true;
        }
    }

    /** It answered. */
    public void answered() {
        if (failing) {
            failing = false;
        }
    }

    /** Whether it did not answer when it was asked last. */
    boolean failing() {
        return failing;
    }

    /** Whether that was a moment ago, so that it is not asked again yet. */
    boolean rests(long nowNanos) {
        return failing && restsUntil != Long.MIN_VALUE && nowNanos - restsUntil < 0;
    }

    /** Whether it is the same member at the same address. */
    boolean same(Owner other) {
        return name.equals(other.name) && key.equals(other.key);
    }
}
