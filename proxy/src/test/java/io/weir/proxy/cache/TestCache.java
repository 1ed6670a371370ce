package io.weir.proxy.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.weir.base.Chance;
import io.weir.base.ConfigBinder;
import io.weir.base.ConfigNode;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.StatSpec;
import io.weir.base.Stats;
import io.weir.base.SteppedClock;
import io.weir.http.Fields;
import io.weir.http.Method;
import io.weir.http.Version;
import io.weir.http.semantics.HttpDate;
import io.weir.proxy.cache.config.CacheConfig;
import io.weir.proxy.cache.config.CacheStats;
import io.weir.proxy.cache.config.CacheTerms;
import io.weir.proxy.cache.fill.Disposition;
import io.weir.proxy.cache.fill.Fill;
import io.weir.proxy.cache.fill.StoragePlan;
import io.weir.proxy.cache.store.StoredObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A cache with a stepped clock, and an origin and clients that the test plays. */
final class TestCache {
    static final long START = 1_800_000_000_000L;

    final SteppedClock clock = new SteppedClock(START);
    final Stats stats = new Stats();
    final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    final Live<CacheConfig> config;
    final Cache cache;
    final TestLoop loop = new TestLoop();
    final TestSource source = new TestSource(loop);

    TestCache(String... knobs) {
        this(Log.NONE, Integer.MAX_VALUE, knobs);
    }

    /** With a JVM that gives only so many regions. */
    TestCache(Log log, int regions, String... knobs) {
        config = new Live<>(config(knobs));
        ByteBufAllocator stingy = new AbstractByteBufAllocator(true) {
            private int left = regions;

            @Override
            protected ByteBuf newHeapBuffer(int initial, int most) {
                return allocator.heapBuffer(initial, most);
            }

            @Override
            protected ByteBuf newDirectBuffer(int initial, int most) {
                if (left-- <= 0) {
                    throw new OutOfMemoryError("simulated");
                }
                return allocator.directBuffer(initial, most);
            }

            @Override
            public boolean isDirectBufferPooled() {
                return false;
            }
        };
        cache = new Cache(config, stingy, clock, Chance.seeded(1), null, stats, log);
    }

    static CacheConfig config(String... knobs) {
        ConfigNode.Place place = ConfigNode.Place.of("test");
        ConfigNode.Mapping tree = ConfigNode.Mapping.empty(place);
        for (String knob : knobs) {
            int equals = knob.indexOf('=');
            tree = tree.with(knob.substring(0, equals), new ConfigNode.Scalar(place, knob.substring(equals + 1)));
        }
        ConfigBinder binder = new ConfigBinder();
        CacheConfig bound = binder.bind(tree, CacheConfig.class);
        assertThat(binder.problems()).isEmpty();
        return bound;
    }

    CacheRequest get(String path, String... fields) {
        return request(Method.GET, path, fields);
    }

    CacheRequest request(Method method, String path, String... fields) {
        CacheRequest request = cache.newRequest();
        request.key().start(false).host("origin.test", 80).path(path);
        return request.set(method, fields(fields), CacheTerms.DEFAULT);
    }

    static Fields fields(String... lines) {
        Fields fields = new Fields();
        for (String line : lines) {
            int colon = line.indexOf(':');
            fields.add(line.substring(0, colon), line.substring(colon + 1).strip());
        }
        return fields;
    }

    static ByteBuf bytes(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1);
    }

    /** A field line with the date of some seconds from now. */
    String date(String name, long seconds) {
        return name + ": " + HttpDate.format(clock.millis() / 1000 + seconds);
    }

    Fill lead(CacheRequest request) {
        Decision decision = cache.decide(request);
        assertThat(decision).isInstanceOf(Decision.Lead.class);
        Fill fill = ((Decision.Lead) decision).fill();
        fill.lead(source);
        return fill;
    }

    Decision.Relay relayed(CacheRequest request) {
        Decision decision = cache.decide(request);
        assertThat(decision).isInstanceOf(Decision.Relay.class);
        return (Decision.Relay) decision;
    }

    Fill joined(CacheRequest request) {
        Decision decision = cache.decide(request);
        assertThat(decision).isInstanceOf(Decision.Join.class);
        return ((Decision.Join) decision).fill();
    }

    /** A client that joined and has polled once. */
    TestClient client(Fill fill, CacheRequest request) {
        TestClient client = new TestClient(loop);
        client.cursor = fill.join(request, client);
        assertThat(client.cursor).isNotNull();
        return client.pump();
    }

    /** The head of an answer to a request that was sent just now. */
    StoragePlan.Head answer(int status, long length, String... fields) {
        long now = clock.millis();
        return new StoragePlan.Head(status, fields(fields), length, now, now, Version.HTTP_1_1, null);
    }

    Disposition respond(Fill fill, int status, long length, String... fields) {
        return fill.respond(answer(status, length, fields));
    }

    /** Fetches and stores; what the client got. */
    TestClient store(CacheRequest request, String body, String... fields) {
        Fill fill = lead(request);
        TestClient client = client(fill, request);
        if (respond(fill, 200, body.length(), fields) == Disposition.STORE) {
            fill.append(bytes(body));
            fill.complete(null);
        }
        loop.run();
        client.close();
        return client;
    }

    /** The body of a hit, or null when it is none. */
    @Nullable
    String hit(CacheRequest request) {
        if (!(cache.decide(request) instanceof Decision.Hit hit)) {
            return null;
        }
        String body = body(hit.object());
        hit.object().release();
        return body;
    }

    static String body(StoredObject object) {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < object.bodyParts(); i++) {
            ByteBuf part = object.bodyPart(i);
            body.append(part.toString(StandardCharsets.ISO_8859_1));
            part.release();
        }
        return body.toString();
    }

    static String head(StoredObject object) {
        ByteBuf head = object.head();
        String text = head.toString(StandardCharsets.ISO_8859_1);
        head.release();
        return text;
    }

    long count(StatSpec spec, String... labels) {
        return stats.value(spec, labels);
    }

    void step(long seconds) {
        clock.step(Duration.ofSeconds(seconds));
    }

    /** Everything was given back: no fill, no block, no region, no byte beyond what an empty cache takes. */
    void assertNothingLeaks() {
        loop.run();
        assertThat(count(CacheStats.FILLS_ACTIVE)).isZero();
        assertThat(count(CacheStats.WINDOW_BYTES)).isZero();
        long empty = new TestCache("memory-budget=" + config.get().memoryBudget())
                .cache
                .store
                .budget()
                .used();
        cache.close();
        assertThat(cache.store.takenBytes()).isZero();
        assertThat(allocator.metric().usedDirectMemory()).isZero();
        assertThat(cache.store.table().size()).isZero();
        assertThat(cache.store.budget().used())
                .isBetween(empty, empty + cache.store.table().grownBytes());
    }
}
