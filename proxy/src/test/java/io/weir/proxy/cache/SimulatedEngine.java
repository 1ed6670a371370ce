package io.weir.proxy.cache;

import io.weir.base.Clock;
import io.weir.proxy.cache.fill.Fill;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The transport of a simulation: exchanges and fetches over a real cache. */
final class SimulatedEngine {
    final Cache cache;
    final Clock clock;
    final SimulatedOrigin origin = new SimulatedOrigin();
    final int failurePercent;
    final AtomicInteger hits = new AtomicInteger();
    final AtomicInteger joins = new AtomicInteger();
    final AtomicInteger ended = new AtomicInteger();
    final AtomicInteger failed = new AtomicInteger();
    final AtomicInteger passed = new AtomicInteger();
    final AtomicInteger left = new AtomicInteger();
    final AtomicInteger relayedAndStored = new AtomicInteger();
    final AtomicInteger bypasses = new AtomicInteger();
    final List<SimulatedFetch> fetches = Collections.synchronizedList(new ArrayList<>());

    SimulatedEngine(Cache cache, Clock clock, int failurePercent) {
        this.cache = cache;
        this.clock = clock;
        this.failurePercent = failurePercent;
    }

    SimulatedFetch fetch(SimulatedExchange by, Fill fill, boolean background) {
        SimulatedFetch fetch = new SimulatedFetch(this, by, fill, background);
        fetches.add(fetch);
        return fetch;
    }

    void relay(SimulatedExchange by, Decision.Relay relay) {
        fetches.add(new SimulatedFetch(this, by, relay));
    }
}
