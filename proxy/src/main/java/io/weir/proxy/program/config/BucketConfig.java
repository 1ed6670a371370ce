package io.weir.proxy.program.config;

import io.weir.base.Knob;
import io.weir.base.Unwatched;
import org.jspecify.annotations.Nullable;

/** A performance bucket: an entry of {@code proxy.buckets}. Immutable. */
public record BucketConfig(
        @Knob(
                doc = "What perfdump and stats-xml show beside the bucket's name, at most 256 characters; without one,"
                        + " the name.",
                dynamic = true,
                unwatched = Unwatched.NAME,
                knownAs = "define-perf-bucket description")
        @Nullable
        String description) {}
