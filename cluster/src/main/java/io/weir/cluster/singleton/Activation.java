package io.weir.cluster.singleton;

import io.weir.base.Fence;
import io.weir.cluster.lease.Held;
import io.weir.cluster.state.singletons.SingletonSpec;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * One activation of a service on this member: its lease, its fence, and whether the lease is held or being lost. Lives
 * from just before {@code activate} until {@code deactivate} has returned or timed out. Shared: read by any thread;
 * changed only by the loop, except for the loss listeners.
 */
public final class Activation {
    /** Maximum number of loss listeners of an activation. */
    private static final int LISTENERS = 16;

    private static final ScopedValue<Activation> CURRENT = ScopedValue.newInstance();

    private final SingletonSpec spec;
    private final Held held;
    private final CompletableFuture<String> loss = new CompletableFuture<>();
    private final Queue<Runnable> listeners = new LinkedBlockingQueue<>(LISTENERS);
    private volatile boolean ending;
    private volatile boolean cutOff;

    /**
     * Creates the activation of a service under a lease.
     *
     * @param spec the specification when the activation began
     */
    public Activation(SingletonSpec spec, Held held) {
        this.spec = spec;
        this.held = held;
    }

    /**
     * The activation whose {@code activate} or {@code deactivate} the calling thread executes; null outside of both.
     */
    public static @Nullable Activation current() {
        return CURRENT.isBound() ? CURRENT.get() : null;
    }

    /** The service's name. */
    public String service() {
        return spec.name();
    }

    /** The service's specification: class, deployment and properties. */
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

    /** Whether this activation certainly holds the lease; check before each unit of work. */
    public boolean valid() {
        return !cutOff && held.valid();
    }

    /** Time on the member's monotonic clock, in nanoseconds, at which the lease ends unless renewed. */
    public long deadline() {
        return held.deadline();
    }

    /** Nanoseconds until the lease ends unless renewed; 0 if it has ended. */
    public long remaining() {
        return cutOff ? 0 : Math.max(0, held.remaining());
    }

    /**
     * Completes, with the reason, once the lease is being lost: it cannot be renewed and is about to end, or has ended.
     */
    public CompletableFuture<String> loss() {
        return loss;
    }

    /** Whether the lease is being lost: from then on Weir's calls do not block the service for long. */
    public boolean lost() {
        return loss.isDone();
    }

    /** Whether the call of {@code deactivate} has started. */
    public boolean ending() {
        return ending;
    }

    /**
     * Registers a callback for the loss of the lease, called once, on a thread of its own, concurrently with the
     * service's other calls; immediately on the calling thread if the lease is already being lost.
     *
     * @throws IllegalStateException if sixteen callbacks are registered already
     */
    public void whenLost(Runnable listener) {
        if (!listeners.offer(listener)) {
            throw new IllegalStateException(LISTENERS + " callbacks are registered already for the loss of " + this);
        }
        if (lost()) {
            notifyListeners();
        }
    }

    /** Calls the loss listeners that were not called yet. */
    void notifyListeners() {
        for (Runnable listener = listeners.poll(); listener != null; listener = listeners.poll()) {
            listener.run();
        }
    }

    /** Whether there are loss listeners to call. */
    boolean hasListeners() {
        return !listeners.isEmpty();
    }

    /** Marks the lease as being lost; returns true the first time. */
    boolean lose(String reason) {
        return loss.complete(reason);
    }

    /** Marks the start of {@code deactivate}. */
    void end() {
        ending = true;
    }

    /** Revokes the activation for the service, although the lease may be kept so that no other member starts. */
    void cutOff() {
        cutOff = true;
    }

    /** Runs a task within this activation, on the calling thread. */
    public void run(Runnable what) {
        ScopedValue.where(CURRENT, this).run(what);
    }

    <X extends Exception> void call(Call<X> what) throws X {
        ScopedValue.where(CURRENT, this).call(() -> {
            what.call();
            return "";
        });
    }

    /** A call of service code. */
    interface Call<X extends Exception> {
        void call() throws X;
    }

    @Override
    public String toString() {
        return service() + "@" + fence();
    }
}
