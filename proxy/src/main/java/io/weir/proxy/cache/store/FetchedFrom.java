package io.weir.proxy.cache.store;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The addresses that a forwarded answer was fetched from; they determine which clients may get it. There are several if
 * a stored answer was validated at another address than it was fetched from. For answers of configured origins the
 * value is null; for those that a proxy behind this one got, {@link #PARENT}. Immutable except for the rules that it passed, so that those are applied once and not for each hit.
 * Shared.
 */
public final class FetchedFrom {
    /**
     * Most addresses: beyond this an answer is fetched again instead of being validated at one address after another.
     */
    public static final int MOST = 8;
    /** This object and the array; then, per address, its parts and its array slot. Measured by a test. */
    private static final long HEAP_BYTES = 24 + 16;

    /** A proxy behind this one chose the address: there is none for the rules to check. */
    public static final FetchedFrom PARENT = new FetchedFrom();

    private static final long BYTES_V4 = 8 + 24 + 32;
    private static final long BYTES_V6 = 8 + 24 + 32 + 32 + 32;

    private final InetAddress[] addresses;
    private volatile Permission.@Nullable Audience passed;

    private FetchedFrom(InetAddress... addresses) {
        this.addresses = addresses;
    }

    /** One address. The name that it was resolved from is not kept with it. */
    public static FetchedFrom of(InetAddress address) {
        try {
            return new FetchedFrom(InetAddress.getByAddress(address.getAddress()));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("not an address: " + address, e);
        }
    }

    /** The addresses that {@link #addresses} returned. */
    public static FetchedFrom of(List<InetAddress> addresses) {
        return new FetchedFrom(addresses.toArray(InetAddress[]::new));
    }

    /** All of them. */
    public List<InetAddress> addresses() {
        return List.of(addresses);
    }

    /** The addresses of an answer fetched from {@code one} and validated at {@code other}; only if {@link #fit}. */
    public static @Nullable FetchedFrom both(@Nullable FetchedFrom one, @Nullable FetchedFrom other) {
        if (one == null || other == null || one == other) {
            return one;
        }
        Set<InetAddress> all = one.with(other);
        return all.size() == one.addresses.length ? one : new FetchedFrom(all.toArray(InetAddress[]::new));
    }

    /**
     * Whether an answer from {@code one} may be validated at {@code other}: both are configured origins, or not too
     * many addresses.
     */
    public static boolean fit(@Nullable FetchedFrom one, @Nullable FetchedFrom other) {
        if (one == null || other == null) {
            return one == other;
        }
        return one.with(other).size() <= MOST;
    }

    private Set<InetAddress> with(FetchedFrom other) {
        Set<InetAddress> all = new LinkedHashSet<>(Arrays.asList(addresses));
        all.addAll(Arrays.asList(other.addresses));
        return all;
    }

    public static long heapBytes(@Nullable FetchedFrom from) {
        if (from == null) {
            return 0;
        }
        long bytes = HEAP_BYTES;
        for (InetAddress address : from.addresses) {
            bytes += address instanceof Inet6Address ? BYTES_V6 : BYTES_V4;
        }
        return bytes;
    }

    /** Whether a rule permits all of the addresses. */
    public boolean all(Predicate<InetAddress> rule) {
        for (InetAddress address : addresses) {
            if (!rule.test(address)) {
                return false;
            }
        }
        return true;
    }

    /** The last argument of {@link #pass}; null before the first call. */
    public Permission.@Nullable Audience passed() {
        return passed;
    }

    /** Remembers an audience whose rules permit all of the addresses. */
    public void pass(Permission.Audience audience) {
        passed = audience;
    }
}
