package io.weir.cluster.singleton;

import io.weir.base.Fence;
import io.weir.cluster.lease.Held;
import io.weir.cluster.state.singletons.SingletonSpec;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * What a service is while it is active here: under which lease, with which fence, whether that still holds, and whether
 * it is being lost. Lives from just before {@code activate} until {@code deactivate} has returned or timed out. Shared:
 * any thread asks; only the loop changes it, except for the listeners of its loss.
 */
public final class Activation {
    /** Who may want to hear of the loss of one activation. */
    private static final int LISTENERS = 16;

    private static final ScopedValue<Activation> CURRENT = ScopedValue.newInstance();

    private final SingletonSpec spec;
    private final Held held;
    private final CompletableFuture<String> loss = new CompletableFuture<>();
    private final Queue<Runnable> listeners = new LinkedBlockingQueue<>(LISTENERS);
    private volatile boolean ending;
    private volatile boolean cutOff;

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
        return !cutOff && held.valid();
    }

    /** Nanoseconds of the member's clock at which it is over unless renewed. */
    public long deadline() {
        return held.deadline();
    }

    /** Nanoseconds until it ends unless renewed; 0 when it is over. */
    public long remaining() {
        return cutOff ? 0 : Math.max(0, held.remaining());
    }

    /**
     * Completes, with the reason, once the lease is being lost: it cannot be renewed and its end is near, or it is
     * over.
     */
    public CompletableFuture<String> loss() {
        return loss;
    }

    /** Whether it is being lost: from then on nothing of Weir's keeps the service waiting for long. */
    public boolean lost() {
        return loss.isDone();
    }

    /** Whether its {@code deactivate} was begun. */
    public boolean ending() {
        return ending;
    }

    /**
     * Has something called when the lease is being lost, once, on a thread of its own while the service's other calls
     * go on; at once, on the calling thread, when it is so already.
     *
     * @throws IllegalStateException when sixteen wait already
     */
    public void whenLost(Runnable listener) {
        if (!listeners.offer(listener)) {
            throw new IllegalStateException(LISTENERS + " want to hear of the loss of " + this + " already");
        }
        if (lost()) {
            tellOfLoss();
        }
    }

    /** Calls the listeners of the loss that were not called yet. */
    void tellOfLoss() {
        for (Runnable listener = listeners.poll(); listener != null; listener = listeners.poll()) {
            listener.run();
        }
    }

    /** Whether somebody wants to hear of it. */
    boolean hasListeners() {
        return !listeners.isEmpty();
    }

    /** It is being lost; true the first time. */
    boolean lose(String reason) {
        return loss.complete(reason);
    }

    /** Its {@code deactivate} is called. */
    void end() {
        ending = true;
    }

    /** It is over for the service, though the lease may be kept so that no other member starts. */
    void cutOff() {
        cutOff = true;
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
