package io.weir.proxy.cache;

import io.weir.proxy.cache.fill.Fill;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of an answer that was to be relayed without the store. Immutable; lives for one call.
 *
 * @param fill the answer is storable after all: lead this fill with it; null: relay the answer
 * @param reason why it is not stored, for the detail of Cache-Status; empty if it is
 */
public record Relayed(@Nullable Fill fill, String reason) {}
