package io.weir.base;

import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.Predicate;

/**
 * A server's connections whose clients have not yet completed their handshake or login. Their number is limited, and
 * half of the limit applies per address (except loopback); when full, the one that has kept the server waiting longest
 * is closed, so that silent connections cannot lock others out. Shared; lives as long as its server.
 */
public final class HalfOpen {
    /** Grace time of every connection before it can be closed for another one. */
    public static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final IntSupplier most;
    private final Clock clock;
    private final Counter evicted;
    private final AtomicLong numbers = new AtomicLong();
    private final ConcurrentSkipListMap<Long, Place> places = new ConcurrentSkipListMap<>();
    private final Map<InetAddress, Integer> addresses = new ConcurrentHashMap<>();

    /**
     * Creates an empty one.
     *
     * @param evicted counts connections closed for others
     */
    public HalfOpen(IntSupplier most, Clock clock, Counter evicted) {
        this.most = most;
        this.clock = clock;
        this.evicted = evicted;
    }

    /** A connection's place until its handshake is complete or it is closed. Shared. */
    public final class Place {
        private final long number = numbers.incrementAndGet();
        private final long since = clock.nanos();
        private final InetAddress address;
        private final BooleanSupplier silent;
        private final Runnable end;

        private Place(InetAddress address, BooleanSupplier silent, Runnable end) {
            this.address = address;
            this.silent = silent;
            this.end = end;
        }

        /**
         * Releases the place, because the handshake is complete or the connection closed. Callable from any thread,
         * repeatedly.
         */
        public void leave() {
            left();
        }

        private boolean left() {
            boolean first = places.remove(number) != null;
            if (first) {
                addresses.computeIfPresent(address, (unusedAddress, n) -> n == 1 ? null : n - 1);
            }
            return first;
        }
    }

    /**
     * Enters a connection. If there is no {@link #room} for it, the caller must refuse it; {@link Place#leave} must be
     * called in any case.
     *
     * @param silent whether the server waits for the client; called from any thread
     * @param end closes the connection, to make room; called from any thread
     */
    public Place enter(InetAddress address, BooleanSupplier silent, Runnable end) {
        Place place = new Place(address, silent, end);
        places.put(place.number, place);
        addresses.merge(address, 1, Integer::sum);
        return place;
    }

    /** Whether there is room for this connection, closing another one if necessary. */
    public boolean room(Place place) {
        int bound = most.getAsInt();
        if (!place.address.isLoopbackAddress()
                && addresses.getOrDefault(place.address, 0) > Math.max(1, bound / 2)
                && !evict(place, place.address::equals)) {
            return false;
        }
        return places.size() <= bound || evict(place, unusedPlace -> true);
    }

    private boolean evict(Place newcomer, Predicate<InetAddress> whose) {
        long now = clock.nanos();
        for (Place each : places.values()) {
            if (now - each.since < GRACE_NANOS) {
                return false;
            }
            if (each != newcomer && each.silent.getAsBoolean() && whose.test(each.address) && each.left()) {
                evicted.inc();
                each.end.run();
                return true;
            }
        }
        return false;
    }

    public int size() {
        return places.size();
    }
}
