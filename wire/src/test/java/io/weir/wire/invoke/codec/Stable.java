package io.weir.wire.invoke.codec;

import java.util.List;

/** A generic interface that others fix. */
interface Stable<T> {
    T first(List<T> of);
}
