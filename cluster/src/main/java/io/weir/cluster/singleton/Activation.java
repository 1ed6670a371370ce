package io.weir.cluster.singleton;

import io.weir.base.Fence;
import io.weir.cluster.lease.Held;
import io.weir.cluster.state.SingletonSpec;
import org.jspecify.annotations.Nullable;

/**
 * What a service is while it is active here: under which lease, with which fence, and whether that still holds. Lives from
 * just before {@code activate} until {@code deactivate} has returned or was given up. Immutable but for the lease's time;
 * shared: any thread asks.
 */
public final class Activation {
    private static final ScopedValue<Activation> CURRENT = ScopedValue.newInstance();

    private final SingletonSpec spec;
    private final Held held;

    /**
     * Of a service under a lease.
     *
     * @param spec as it was when the activation began
     */
    public Activation(SingletonSpec spec, Held held) {
        this.spec = spec;
        this.held = held;
    }

    /** The activation in whose {@code activate} or {@code deactivate} the calling thread is; null outside of both. */
    public static @Nullable Activation current() {
        return CURRENT.isBound() ? CURRENT.get() : null;
    }

    /** The service's name. */
    public String service() {
        return spec.name();
    }

    /** What the service is: its class, the deployment it came with, its properties. */
    public SingletonSpec spec() {
        return spec;
    }

    /** The lease's name: {@code singleton/NAME}. */
    public String lease() {
        return held.lease();
    }

    public Fence fence() {
        return held.fence();
    }

    /** Whether the lease surely is this activation's at this moment: asked before each unit of work. */
    public boolean valid() {
        return held.valid();
    }

    /** Nanoseconds until it ends unless renewed. */
    public long remaining() {
        return held.remaining();
    }

    /** Runs something as this activation, on the calling thread. */
    public void run(Runnable what) {
        ScopedValue.where(CURRENT, this).run(what);
    }

    <X extends Exception> void call(Call<X> what) throws X {
        ScopedValue.where(CURRENT, this).call(() -> {
            what.call();
            return "";
        });
    }

    /** Something that a service does. */
    interface Call<X extends Exception> {
        void call() throws X;
    }

    @Override
    public String toString() {
        return service() + "@" + fence();
    }
}
