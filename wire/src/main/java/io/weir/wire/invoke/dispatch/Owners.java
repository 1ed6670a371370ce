package io.weir.wire.invoke.dispatch;

import io.weir.base.Fence;
import io.weir.wire.invoke.description.Export;
import org.jspecify.annotations.Nullable;

/**
 * The services that this member owns, and the owners of others. Called on event loops: it must answer from memory.
 * Shared.
 */
public interface Owners {
    /** What is known about a service. */
    sealed interface Standing {}

    /** This member owns it. */
    record Here(Export export) implements Standing {}

    /**
     * Another member owns it.
     *
     * @param address where that member is reached, host and port; null if unknown
     * @param fence of that member
     */
    record Elsewhere(@Nullable String address, Fence fence) implements Standing {}

    /** No member owns it. */
    record Nowhere() implements Standing {}

    Standing standing(String service);

    /** A call arrived with a fence other than the owner's; for counters. */
    default void refused(String service, Fence offered) {
        // counting is optional
    }
}
