package io.weir.cluster.timer;

import io.weir.base.Fence;
import io.weir.cluster.SingletonService;
import io.weir.cluster.log.Loop;
import io.weir.cluster.state.Leases;
import io.weir.cluster.state.SingletonSpec;
import java.util.concurrent.CompletableFuture;

/**
 * The singleton {@code weir.timers}: on the member where it is active the {@link TimerEngine} fires. Deactivating waits for
 * the listeners that run, so that a planned move repeats none. Called on execute threads; one for each activation.
 */
public final class TimerService implements SingletonService {
    private static final int ATTEMPTS = 1_000;
    private static final long PAUSE_MILLIS = 10_000;

    private final Loop loop;
    private final TimerEngine engine;

    public TimerService(Loop loop, TimerEngine engine) {
        this.loop = loop;
        this.engine = engine;
    }

    /** What it is defined as: anywhere, tried for ever. */
    public static SingletonSpec spec() {
        return SingletonSpec.of(Leases.TIMERS_SERVICE, TimerService.class.getName())
                .attempting(ATTEMPTS, PAUSE_MILLIS);
    }

    @Override
    public void activate(Fence fence) {
        loop.execute(() -> engine.begin(fence));
    }

    @Override
    public void deactivate() throws Exception {
        CompletableFuture<Void> quiet = new CompletableFuture<>();
        loop.execute(() -> engine.end(() -> quiet.complete(null)));
        quiet.get();
    }
}
