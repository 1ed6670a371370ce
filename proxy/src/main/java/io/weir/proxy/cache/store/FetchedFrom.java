package io.weir.proxy.cache.store;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The addresses that a forwarded answer was fetched from: who may have it depends on them. Several where a stored
 * answer was validated at other addresses than it came from. What comes from the operator's own origins has none, which
 * is null. Immutable but for the rules that it passed, so that those are applied once and not for each hit. Shared.
 */
public final class FetchedFrom {
    /**
     * More than these are not kept: an answer is fetched anew instead of being validated at one address after another.
     */
    public static final int MOST = 8;
    /** This and the array; then each address with its parts and its place. Measured by a test. */
    private static final long HEAP_BYTES = 24 + 16;

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

    /** What an answer that came from the one and was validated at the other is from; only where {@link #fit}. */
    public static @Nullable FetchedFrom both(@Nullable FetchedFrom one, @Nullable FetchedFrom other) {
        if (one == null || other == null || one == other) {
            return one;
        }
        Set<InetAddress> all = one.with(other);
        return all.size() == one.addresses.length ? one : new FetchedFrom(all.toArray(InetAddress[]::new));
    }

    /** Whether an answer from the one may be validated at the other: both the operator's, or not too many addresses. */
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

    /** Whether a rule lets all of the addresses pass. */
    public boolean all(Predicate<InetAddress> rule) {
        for (InetAddress address : addresses) {
            if (!rule.test(address)) {
                return false;
            }
        }
        return true;
    }

    /** The last argument of {@link #pass}; null before. */
    public Permission.@Nullable Audience passed() {
        return passed;
    }

    /** Remembers for whom rules let all of the addresses pass. */
    public void pass(Permission.Audience audience) {
        passed = audience;
    }
}
