package io.weir.cluster.state.singletons;

import io.weir.cluster.state.entry.Event;
import org.jspecify.annotations.Nullable;

/** A singleton was defined (before null), undefined (after null), or changed in any way. Immutable. */
public record SingletonChanged(
        String name,
        @Nullable SingletonState before,
        @Nullable SingletonState after) implements Event {}
