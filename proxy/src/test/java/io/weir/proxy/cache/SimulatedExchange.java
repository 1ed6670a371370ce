package io.weir.proxy.cache;

import io.netty.buffer.ByteBuf;
import io.weir.http.Method;
import io.weir.proxy.cache.config.CacheTerms;
import io.weir.proxy.cache.fill.Fill;
import io.weir.proxy.cache.fill.FillCursor;
import io.weir.proxy.cache.fill.FillReader;
import io.weir.proxy.cache.fill.Signal;
import io.weir.proxy.cache.store.StoredObject;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A client's exchange in a simulation, which checks every byte it gets. Confined to its loop. */
final class SimulatedExchange implements FillReader {
    private final SimulatedEngine engine;
    private final Executor loop;
    final RandomGenerator random;
    final int resource;
    final int variant;
    final String path;
    private final CacheRequest request;
    private @Nullable FillCursor cursor;
    private String etag = "";
    private int got;
    /** Takes one signal at a time. */
    final boolean slow;

    boolean done;
    private boolean relaying;

    SimulatedExchange(SimulatedEngine engine, Executor loop, RandomGenerator random) {
        this.engine = engine;
        this.loop = loop;
        this.random = random;
        this.resource = random.nextInt(SimulatedOrigin.RESOURCES);
        this.variant = random.nextInt(2);
        this.slow = random.nextInt(4) == 0;
        this.path = "/" + resource + "/" + random.nextInt(3);
        request = engine.cache.newRequest();
        request.key().start(false).host("origin.test", 80).path(path);
        String reload = random.nextInt(20) == 0 ? "no-cache" : "max-age=3600";
        request.set(
                Method.GET, TestCache.fields("X-Variant: " + variant, "Cache-Control: " + reload), CacheTerms.DEFAULT);
    }

    @Override
    public Executor executor() {
        return loop;
    }

    void start() {
        got = 0;
        etag = "";
        for (int i = 0; cursor == null && !done && !relaying; i++) {
            if (i > 20) {
                throw new AssertionError("no decision");
            }
            decide();
        }
        pump();
    }

    private void decide() {
        switch (engine.cache.decide(request)) {
            case Decision.Hit hit -> hit(hit);
            case Decision.Load _ -> throw new IllegalStateException("the simulation has no disk");
            case Decision.Join join -> {
                engine.joins.incrementAndGet();
                cursor = join.fill().join(request, this);
            }
            case Decision.Lead lead -> {
                engine.fetch(this, lead.fill(), false);
                cursor = lead.fill().join(request, this);
                if (cursor == null) {
                    throw new AssertionError("the leader's own client could not join");
                }
            }
            case Decision.Relay relay -> {
                engine.relay(this, relay);
                relaying = true;
            }
            case Decision.Bypass _ -> finish(engine.bypasses);
            case Decision.OnlyIfCached _ -> throw new AssertionError("not asked for");
        }
    }

    /** Its request was to be relayed, but the answer is stored. */
    void leads(Fill fill) {
        relaying = false;
        cursor = fill.join(request, this);
        if (cursor == null) {
            throw new AssertionError("the leader's own client could not join");
        }
        pump();
    }

    private void hit(Decision.Hit hit) {
        StoredObject object = hit.object();
        Fill background = hit.revalidation();
        if (background != null) {
            engine.fetch(this, background, true);
        }
        begin(object);
        for (int i = 0; i < object.bodyParts(); i++) {
            take(object.bodyPart(i));
        }
        object.release();
        end();
        finish(engine.hits);
    }

    @Override
    public void ready(FillCursor at) {
        pump();
    }

    /** Polls as far as it may; a slow client stops after one signal. */
    void pump() {
        for (boolean more = true; more && cursor != null; more = more && !slow) {
            more = handle(
                    Objects.requireNonNull(cursor),
                    Objects.requireNonNull(cursor).poll());
        }
    }

    private boolean handle(FillCursor at, Signal signal) {
        switch (signal) {
            case WAIT -> {
                return false;
            }
            case HEAD -> begin(at.object());
            case DATA -> take(at.data());
            case LEAD -> engine.fetch(this, at.fill(), false);
            case END -> {
                end();
                finish(engine.ended);
            }
            case FAILED -> {
                at.failure();
                finish(engine.failed);
            }
            case RELEASED -> {
                close();
                start();
            }
        }
        return true;
    }

    private void begin(StoredObject object) {
        etag = Objects.requireNonNull(object.fields().combined("etag"));
        SimulatedOrigin.check(resource, variant, etag);
    }

    private void take(ByteBuf data) {
        for (int i = data.readerIndex(); i < data.writerIndex(); i++) {
            if (data.getByte(i) != engine.origin.at(etag, got++)) {
                throw new AssertionError("wrong byte at " + (got - 1) + " of " + etag);
            }
        }
        data.release();
    }

    private void end() {
        int version = Integer.parseInt(etag.replace("\"", "").split("-", -1)[1]);
        if (got != SimulatedOrigin.size(resource, version)) {
            throw new AssertionError("ended after " + got + " bytes of " + etag);
        }
    }

    /** The answer goes to this client alone: nothing of it concerns the cache. */
    void passed() {
        finish(engine.passed);
    }

    /** The client goes away. */
    void leave() {
        finish(engine.left);
    }

    private void finish(java.util.concurrent.atomic.AtomicInteger how) {
        if (!done) {
            done = true;
            how.incrementAndGet();
            close();
        }
    }

    private void close() {
        FillCursor open = cursor;
        cursor = null;
        if (open != null) {
            open.close();
        }
    }
}
