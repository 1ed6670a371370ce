package io.weir.wire.invoke;

import io.weir.base.Fence;
import org.jspecify.annotations.Nullable;

/**
 * What a service's method may know of the call that it answers: who calls and until when. Calls that the method makes itself
 * end by the same deadline. Immutable; on the thread that executes the method.
 *
 * @param service the name that was called
 * @param user who called
 * @param fence the owner's, which the call carried
 * @param deadline of the caller, in nanoseconds of the member's clock
 */
public record CallContext(String service, String user, Fence fence, long deadline) {
    private static final ScopedValue<CallContext> CURRENT = ScopedValue.newInstance();

    /** The call that this thread executes; null outside of any. */
    public static @Nullable CallContext current() {
        return CURRENT.isBound() ? CURRENT.get() : null;
    }

    /** Runs something, on this thread, as a part of this call: {@link #current} is this one meanwhile. */
    public void run(Runnable what) {
        ScopedValue.where(CURRENT, this).run(what);
    }
}
