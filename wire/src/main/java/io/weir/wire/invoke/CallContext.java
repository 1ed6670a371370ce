package io.weir.wire.invoke;

import io.weir.base.Fence;
import org.jspecify.annotations.Nullable;

/**
 * The context of a call for the service's method that executes it: caller, fence and deadline. Calls that the method
 * makes itself are limited by the same deadline. Immutable; bound to the thread that executes the method.
 *
 * @param service the name that was called
 * @param user the caller
 * @param fence the owner's fence, which the call carried
 * @param deadline the caller's deadline, in nanoseconds of the member's clock
 */
public record CallContext(String service, String user, Fence fence, long deadline) {
    private static final ThreadLocal<@Nullable CallContext> CURRENT = new ThreadLocal<>();

    /** The call that this thread executes; null outside of any. */
    public static @Nullable CallContext current() {
        return CURRENT.get();
    }

    /** Runs an action on this thread as part of this call: {@link #current} returns this context meanwhile. */
    public void run(Runnable what) {
        CallContext outer = CURRENT.get();
        CURRENT.set(this);
        try {
            what.run();
        } finally {
            if (outer == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(outer);
            }
        }
    }
}
