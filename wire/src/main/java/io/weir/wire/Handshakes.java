package io.weir.wire;

import io.weir.base.Clock;
import io.weir.base.Counter;
import io.weir.wire.WireFault.Reason;
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
 * A server's connections that have not logged in. There are so many at most, of one address half of them (this machine's do not
 * count by address); where there is no room, the one that has kept the server waiting for the longest makes it. So strangers
 * who connect and say nothing keep nobody out. Shared; lives as long as its server.
 */
final class Handshakes {
    /** Everybody has so long to say who he is. */
    static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final IntSupplier most;
    private final Clock clock;
    private final Counter givenUp;
    private final AtomicLong numbers = new AtomicLong();
    private final ConcurrentSkipListMap<Long, Place> places = new ConcurrentSkipListMap<>();
    private final Map<InetAddress, Integer> addresses = new ConcurrentHashMap<>();

    Handshakes(IntSupplier most, Clock clock, Counter givenUp) {
        this.most = most;
        this.clock = clock;
        this.givenUp = givenUp;
    }

    /** A connection's place until it has logged in or is closed. Shared. */
    final class Place {
        private final long number = numbers.incrementAndGet();
        private final long since = clock.nanos();
        private final InetAddress address;
        private final WireChannel channel;
        private final BooleanSupplier silent;

        private Place(InetAddress address, WireChannel channel, BooleanSupplier silent) {
            this.address = address;
            this.channel = channel;
            this.silent = silent;
        }

        /** It has logged in, or is closed. From any thread, also again. */
        void leave() {
            if (places.remove(number) != null) {
                addresses.computeIfPresent(address, (_, n) -> n == 1 ? null : n - 1);
            }
        }
    }

    /**
     * Takes a place. Whoever has none is to be refused; {@link Place#leave} is due all the same.
     *
     * @param silent whether it is the client that is waited for
     */
    Place enter(InetAddress address, WireChannel channel, BooleanSupplier silent) {
        Place place = new Place(address, channel, silent);
        places.put(place.number, place);
        addresses.merge(address, 1, Integer::sum);
        return place;
    }

    /** Whether there is room for this one, made where it must be. */
    boolean room(Place place) {
        int bound = most.getAsInt();
        if (!place.address.isLoopbackAddress()
                && addresses.getOrDefault(place.address, 0) > Math.max(1, bound / 2)
                && !giveUp(place, place.address::equals)) {
            return false;
        }
        return places.size() <= bound || giveUp(place, _ -> true);
    }

    private boolean giveUp(Place newcomer, Predicate<InetAddress> whose) {
        long now = clock.nanos();
        for (Place each : places.values()) {
            if (now - each.since < PATIENCE_NANOS) {
                return false;
            }
            if (each != newcomer && each.silent.getAsBoolean() && whose.test(each.address)) {
                each.leave();
                givenUp.inc();
                each.channel.close(new WireFault(
                        Reason.BUSY, "no login yet, and others want to log in: come back and log in at once"));
                return true;
            }
        }
        return false;
    }

    int size() {
        return places.size();
    }
}
