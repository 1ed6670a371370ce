package io.weir.wire.invoke.dispatch;

import io.weir.base.Fence;
import io.weir.wire.invoke.description.Export;
import org.jspecify.annotations.Nullable;

/** Which services this member owns, and who owns the others. Asked on event loops: it answers from memory. Shared. */
public interface Owners {
    /** What is known of a service. */
    sealed interface Standing {}

    /** It is here. */
    record Here(Export export) implements Standing {}

    /**
     * Another member has it.
     *
     * @param address where that member is reached, host and port; null where that is not known
     * @param fence of that member
     */
    record Elsewhere(@Nullable String address, Fence fence) implements Standing {}

    /** Nobody has it. */
    record Nowhere() implements Standing {}

    Standing standing(String service);

    /** A call came with a fence that is not the owner's: for counters. */
    default void refused(String service, Fence offered) {
        // not everybody counts
    }
}
