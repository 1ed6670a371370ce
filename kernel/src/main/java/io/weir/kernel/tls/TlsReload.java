package io.weir.kernel.tls;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of loading certificates. Immutable.
 *
 * @param at when, milliseconds since the epoch
 * @param failure why the old ones are kept; null if the new ones are used
 * @param changes descriptions of what has changed; empty if nothing has
 */
public record TlsReload(long at, @Nullable String failure, List<String> changes) {
    public TlsReload {
        changes = List.copyOf(changes);
    }

    /** Whether the files' content is in use. */
    public boolean done() {
        return failure == null;
    }
}
