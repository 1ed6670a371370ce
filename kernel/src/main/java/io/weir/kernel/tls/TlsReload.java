package io.weir.kernel.tls;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of loading certificates. Immutable.
 *
 * @param at when, milliseconds since the epoch
 * @param failure why the old ones stay; null: the new ones are used
 * @param changes what is different from before, in words; empty when nothing is
 */
public record TlsReload(long at, @Nullable String failure, List<String> changes) {
    public TlsReload {
        changes = List.copyOf(changes);
    }

    /** Whether what the files held is used. */
    public boolean done() {
        return failure == null;
    }
}
