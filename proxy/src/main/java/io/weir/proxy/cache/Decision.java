package io.weir.proxy.cache;

import io.weir.http.caching.Forward;
import io.weir.http.caching.Freshness;
import io.weir.proxy.cache.config.BypassReason;
import io.weir.proxy.cache.disk.DiskLoad;
import io.weir.proxy.cache.fill.Fill;
import io.weir.proxy.cache.store.StoredObject;
import org.jspecify.annotations.Nullable;

/** How the cache wants a request handled. Confined to the loop that called. */
public sealed interface Decision {

    /**
     * Answer from the store, now. Reused: part of its {@link CacheRequest}. The object is retained for the caller,
     * which calls {@link StoredObject#release} once it has sliced or copied what it sends.
     */
    final class Hit implements Decision {
        private @Nullable StoredObject object;
        private @Nullable Fill revalidation;
        private long ageSeconds;
        private long ttlSeconds;
        private boolean stale;
        private boolean fromDisk;

        Hit() {}

        Hit of(StoredObject found, boolean waited, long nowMillis, boolean isStale, @Nullable Fill background) {
            Freshness freshness = found.freshness();
            object = found;
            ageSeconds = freshness.age(nowMillis);
            ttlSeconds = freshness.ttl(nowMillis);
            stale = isStale;
            fromDisk = waited;
            revalidation = background;
            return this;
        }

        /** Retained for the caller. */
        public StoredObject object() {
            if (object == null) {
                throw new IllegalStateException("no hit");
            }
            return object;
        }

        /** For the Age field (RFC 9111 5.1). */
        public long ageSeconds() {
            return ageSeconds;
        }

        /** For Cache-Status (RFC 9211 2.4); negative when stale. */
        public long ttlSeconds() {
            return ttlSeconds;
        }

        public boolean stale() {
            return stale;
        }

        /** Whether the object was read from the disk for this request, or its body is sent from there. */
        public boolean fromDisk() {
            return fromDisk;
        }

        /**
         * Not null if this request has to validate the object in the background (RFC 5861 3): lead the fill with a
         * separate fetch, which has no client.
         */
        public @Nullable Fill revalidation() {
            return revalidation;
        }
    }

    /**
     * A fetch is already in flight: {@link Fill#join} it and read. If join returns null, decide again.
     *
     * @param forward the {@code fwd} of Cache-Status; set {@code collapsed} as well
     */
    record Join(Fill fill, Forward forward) implements Decision {}

    /** The disk has it: {@link DiskLoad#await} it, and decide again, at the latest after a while. */
    record Load(DiskLoad load) implements Decision {}

    /**
     * Fetch it: {@link Fill#lead}, {@link Fill#join} for the request's own client first (it becomes the first reader),
     * then send the request, without the client's own conditions and Range. {@link Fill#validators()} are the
     * conditions to send.
     *
     * @param forward the {@code fwd} of Cache-Status
     */
    record Lead(Fill fill, Forward forward) implements Decision {}

    /**
     * The key's answer was recently not storable: send the request as received, and pass the answer's head to
     * {@link Cache#relayed}.
     *
     * @param request must not change until then
     * @param forward the {@code fwd} of Cache-Status
     * @param purges what {@link io.weir.proxy.cache.store.Store#purges} was
     */
    record Relay(CacheRequest request, Forward forward, long purges) implements Decision {}

    /** Forward to the origin without the cache; nothing is stored. */
    record Bypass(BypassReason reason) implements Decision {}

    /** The request has only-if-cached and nothing usable is stored: 504 (RFC 9111 5.2.1.7). */
    record OnlyIfCached() implements Decision {
        static final OnlyIfCached INSTANCE = new OnlyIfCached();
    }
}
