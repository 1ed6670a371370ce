package io.weir.proxy.cache.fill;

import io.weir.proxy.cache.store.StoredObject;
import org.jspecify.annotations.Nullable;

/**
 * The initial values of a fill.
 *
 * @param stale the object to validate, retained for the fill
 * @param expected the Vary of the stored variants, with the leader's key
 * @param alone no reader may join
 * @param background it has no client
 * @param uncacheable the key's answer was recently not storable
 * @param own the leader's own request, which joins first
 */
public record FillStart(
        @Nullable StoredObject stale,
        @Nullable Selection expected,
        boolean alone,
        boolean background,
        boolean uncacheable,
        @Nullable FillRequest own) {}
