package io.weir.cluster.timer;

import io.weir.base.Fence;
import io.weir.cluster.SingletonService;
import io.weir.cluster.log.Loop;
import io.weir.cluster.singleton.Activation;
import io.weir.cluster.state.leases.Leases;
import io.weir.cluster.state.singletons.SingletonSpec;
import java.util.concurrent.CompletableFuture;

/**
 * The singleton {@code weir.timers}: the {@link TimerEngine} fires on the member where it is active. Deactivation waits
 * for running listeners, so that a planned move repeats no firing, and for the commit of their completions while the
 * lease can be renewed. Called on execute threads; one for each activation.
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

    /** Its definition: may run anywhere, effectively unlimited attempts. */
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
            var _ = activation.loss().thenRun(() -> loop.deliver(engine::stopCommitting));
        }
        try {
            quiet.get();
        } catch (InterruptedException e) {
            // interrupts the listeners but keeps waiting, because they still run
            engine.interrupt();
            quiet.get();
        }
    }
}
