package io.weir.cluster.state.naming;

import io.weir.cluster.state.entry.Event;
import org.jspecify.annotations.Nullable;

/** A name was bound (before null), unbound (after null), or rebound. Immutable. */
public record BindingChanged(
        String path, @Nullable Binding before, @Nullable Binding after) implements Event {}
