package io.weir.proxy.cache;

import io.netty.buffer.Unpooled;
import io.weir.http.Version;
import io.weir.http.caching.Validators;
import io.weir.proxy.cache.fill.Fill;
import io.weir.proxy.cache.fill.FillFailure;
import io.weir.proxy.cache.fill.FillSource;
import io.weir.proxy.cache.fill.StoragePlan;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A leader's fetch in a simulation: each step is one thing that an origin may do. Confined to its loop. */
final class SimulatedFetch implements FillSource {
    private final SimulatedEngine engine;
    private final Executor loop;
    private final RandomGenerator random;
    private Decision.@Nullable Relay relay;
    private @Nullable Fill fill;
    final int resource;
    final int variant;
    final String path;
    private @Nullable SimulatedExchange owner;
    private boolean streaming;
    private boolean paused;
    boolean done;
    private String etag = "";
    private int size;
    private int sent;

    SimulatedFetch(SimulatedEngine engine, SimulatedExchange by, Fill fill, boolean background) {
        this(engine, by, background ? null : by);
        this.fill = fill;
        fill.lead(this);
    }

    /** Of a request that was to be relayed. */
    SimulatedFetch(SimulatedEngine engine, SimulatedExchange by, Decision.Relay relay) {
        this(engine, by, by);
        this.relay = relay;
    }

    private SimulatedFetch(SimulatedEngine engine, SimulatedExchange by, @Nullable SimulatedExchange owner) {
        this.engine = engine;
        this.loop = by.executor();
        this.random = by.random;
        this.resource = by.resource;
        this.variant = by.variant;
        this.path = by.path;
        this.owner = owner;
    }

    /** The fill that it feeds; null: its answer is to be relayed, as far as is known. */
    @Nullable
    Fill fill() {
        return fill;
    }

    @Override
    public Executor executor() {
        return loop;
    }

    @Override
    public void resume() {
        if (!paused && !done) {
            throw new AssertionError("resumed, but not paused");
        }
        paused = false;
    }

    @Override
    public void unread() {
        // its origin is never late
    }

    @Override
    public void abandon() {
        done = true;
    }

    boolean canStep() {
        return !done && !paused;
    }

    void step() {
        if (!canStep()) {
            return;
        }
        int fate = random.nextInt(100);
        if (fate < engine.failurePercent) {
            done = true;
            fail();
        } else if (streaming) {
            stream(fate);
        } else {
            head();
        }
    }

    private void fail() {
        if (fill != null) {
            fill.abort(new FillFailure(502, "simulated"));
        } else if (owner != null) {
            owner.passed();
        }
    }

    private void head() {
        Fill into = fill;
        int version = engine.origin.version(resource);
        etag = SimulatedOrigin.etag(resource, version, variant);
        size = SimulatedOrigin.size(resource, version);
        Validators validators = into == null ? null : into.validators();
        boolean same = validators != null && etag.equals(validators.ifNoneMatch());
        int status = same ? 304 : 200;
        long length = same ? 0 : SimulatedOrigin.tellsLength(resource) ? size : -1;
        long now = engine.clock.millis();
        StoragePlan.Head answer = new StoragePlan.Head(
                status,
                TestCache.fields(SimulatedOrigin.fields(resource, version, etag)),
                length,
                now,
                now,
                Version.HTTP_1_1,
                null);
        into = into == null ? relayed(answer) : into;
        if (into != null) {
            answered(into, answer);
        }
    }

    /** The answer to a request that was to be relayed: its fill, if it is to be stored. */
    private @Nullable Fill relayed(StoragePlan.Head answer) {
        SimulatedExchange by = Objects.requireNonNull(owner);
        if (by.done) {
            done = true;
            return null;
        }
        Fill storing =
                engine.cache.relayed(Objects.requireNonNull(relay), answer).fill();
        if (storing == null) {
            done = true;
            by.passed();
            return null;
        }
        engine.relayedAndStored.incrementAndGet();
        fill = storing;
        storing.lead(this);
        by.leads(storing);
        return storing;
    }

    private void answered(Fill into, StoragePlan.Head answer) {
        switch (into.respond(answer)) {
            case STORE -> streaming = true;
            case SERVED -> done = true;
            case REPEAT -> {
                // the next step answers again
            }
            case PASS -> {
                done = true;
                SimulatedExchange direct = owner;
                if (direct != null) {
                    direct.passed();
                }
            }
        }
    }

    private void stream(int fate) {
        if (sent < size && fate >= engine.failurePercent + 2) {
            int n = Math.min(size - sent, SimulatedOrigin.chunk(random));
            paused = !Objects.requireNonNull(fill).append(Unpooled.wrappedBuffer(engine.origin.bytes(etag, sent, n)));
            sent += n;
        } else if (sent == size || SimulatedOrigin.tellsLength(resource)) {
            // the end, or a connection that closes too early where the length is known
            done = true;
            Objects.requireNonNull(fill).complete(null);
        }
    }
}
