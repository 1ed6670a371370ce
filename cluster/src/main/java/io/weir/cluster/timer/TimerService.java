package io.weir.cluster.timer;

import io.weir.base.Fence;
import io.weir.cluster.SingletonService;
import io.weir.cluster.log.Loop;
import io.weir.cluster.singleton.Activation;
import io.weir.cluster.state.leases.Leases;
import io.weir.cluster.state.singletons.SingletonSpec;
import java.util.concurrent.CompletableFuture;

/**
 * The singleton {@code weir.timers}: on the member where it is active the {@link TimerEngine} fires. Deactivating waits
 * for the listeners that run, so that a planned move repeats none; for the commitment of their ends, which such a move
 * needs, too, only while the lease can be renewed. Called on execute threads; one for each activation.
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
        loop.deliver(() -> engine.begin(fence));
    }

    @Override
    public void deactivate() throws Exception {
        CompletableFuture<Void> quiet = new CompletableFuture<>();
        loop.deliver(() -> engine.end(() -> quiet.complete(null)));
        Activation activation = Activation.current();
        if (activation != null) {
            var _ = activation.loss().thenRun(() -> loop.deliver(engine::commitNoMore));
        }
        try {
            quiet.get();
        } catch (InterruptedException e) {
            // asks the listeners to end, but goes on waiting: they still run
            engine.interrupt();
            quiet.get();
        }
    }
}
