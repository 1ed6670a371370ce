package io.weir.proxy.cache;

import io.netty.buffer.Unpooled;
import io.weir.http.Version;
import io.weir.http.caching.Validators;
import io.weir.proxy.cache.fill.Fill;
import io.weir.proxy.cache.fill.FillFailure;
import io.weir.proxy.cache.fill.FillSource;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A leader's fetch in a simulation: each step is one thing that an origin may do. Confined to its loop. */
final class SimulatedFetch implements FillSource {
    private final SimulatedEngine engine;
    private final Executor loop;
    private final RandomGenerator random;
    final Fill fill;
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
        this.engine = engine;
        this.loop = by.executor();
        this.random = by.random;
        this.fill = fill;
        this.resource = by.resource;
        this.variant = by.variant;
        this.path = by.path;
        this.owner = background ? null : by;
        fill.lead(this);
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
            fill.abort(new FillFailure(502, "simulated"));
        } else if (streaming) {
            stream(fate);
        } else {
            head();
        }
    }

    private void head() {
        int version = engine.origin.version(resource);
        etag = SimulatedOrigin.etag(resource, version, variant);
        size = SimulatedOrigin.size(resource, version);
        Validators validators = fill.validators();
        boolean same = validators != null && etag.equals(validators.ifNoneMatch());
        int status = same ? 304 : 200;
        long length = same ? 0 : SimulatedOrigin.tellsLength(resource) ? size : -1;
        long now = engine.clock.millis();
        switch (fill.respond(
                status,
                TestCache.fields(SimulatedOrigin.fields(resource, etag)),
                length,
                now,
                now,
                Version.HTTP_1_1,
                null)) {
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
            paused = !fill.append(Unpooled.wrappedBuffer(engine.origin.bytes(etag, sent, n)));
            sent += n;
        } else if (sent == size || SimulatedOrigin.tellsLength(resource)) {
            // the end, or a connection that closes too early where the length is known
            done = true;
            fill.complete(null);
        }
    }
}
