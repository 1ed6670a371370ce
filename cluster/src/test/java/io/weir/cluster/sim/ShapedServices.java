package io.weir.cluster.sim;

import io.weir.base.Fence;
import io.weir.base.Log;
import io.weir.cluster.SingletonService;
import io.weir.cluster.log.Loop;
import io.weir.cluster.node.ClusterNode;
import io.weir.cluster.singleton.Activation;
import io.weir.cluster.singleton.Activations;
import io.weir.cluster.singleton.ServiceObject;
import io.weir.cluster.singleton.ServiceThreads;
import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.naming.BindingValue;
import io.weir.cluster.state.naming.NamingCommand;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Services of every {@link Shape} on a member, called by the real {@link ServiceThreads} on {@link SimThreads}; they keep their own
 * books ({@link Stays}). Confined to the simulation's thread; lives as long as the member's process.
 */
final class ShapedServices implements Activations {
    private static final long DEAF = 40 * VirtualTime.SECOND;

    private final World world;
    private final Host host;
    private final ClusterNode node;
    private final RandomGenerator chance;
    private final SimThreads threads;
    private final ServiceThreads calls;
    private final Map<Activation, SimThreads.Running> running = new HashMap<>();

    ShapedServices(World world, Host host, Loop loop, ClusterNode node, int most, Log log) {
        this.world = world;
        this.host = host;
        this.node = node;
        this.chance = world.chance();
        this.threads = new SimThreads(world, host, most);
        this.calls = new ServiceThreads(
                threads.view(loop),
                spec -> {
                    Shaped made = new Shaped(Shape.of(spec));
                    return new ServiceObject(made, made);
                },
                node.services(),
                threads,
                log);
    }

    @Override
    public CompletableFuture<Void> activate(Activation activation) {
        world.invariants().activateCalled(host, activation);
        return calls.activate(activation);
    }

    @Override
    public CompletableFuture<Void> deactivate(Activation activation) {
        return calls.deactivate(activation);
    }

    @Override
    public void lost(Activation activation) {
        calls.lost(activation);
    }

    @Override
    public void interrupt(Activation activation) {
        SimThreads.Running call = running.get(activation);
        if (call != null) {
            call.interrupt();
        }
    }

    /** One service's object. */
    private final class Shaped implements SingletonService {
        private final Shape shape;
        private Stays.@Nullable Stay stay;

        Shaped(Shape shape) {
            this.shape = shape;
        }

        @Override
        public void activate(Fence fence) {
            Activation a = Objects.requireNonNull(Activation.current());
            Stays.Stay now = world.stays().enter(host, a);
            stay = now;
            if (shape.bound()) {
                propose(new NamingCommand.Rebind(path(a), a.lease(), fence, value(a)));
            }
            boolean fails = shape == Shape.THROWING && chance.nextInt(4) == 0;
            long takes = shape == Shape.SLOW ? chance.nextLong(5 * VirtualTime.SECOND) : quick();
            lasts(a, takes, true, () -> {
                if (fails) {
                    now.failed();
                    world.invariants().activateFailed(host, a);
                } else {
                    now.returned();
                    world.invariants().activateReturned(host, a);
                }
            });
            if (fails) {
                throw new SimServices.Unwilling();
            }
        }

        @Override
        public void deactivate() {
            Activation a = Objects.requireNonNull(Activation.current());
            Stays.Stay now = Objects.requireNonNull(stay);
            now.called();
            world.stays().deactivated();
            world.invariants().deactivateCalled(host, a);
            if (shape.bound()) {
                propose(new NamingCommand.Unbind(path(a), a.lease(), a.fence()));
            }
            boolean deaf = shape == Shape.HANGING && chance.nextBoolean();
            if (deaf) {
                now.deaf();
            }
            long takes = switch (shape) {
                case SLOW -> chance.nextLong(600 * VirtualTime.MILLI);
                case HANGING -> DEAF;
                default -> quick();
            };
            lasts(a, takes, !deaf, () -> {
                now.ended();
                world.invariants().deactivateReturned(host, a);
            });
            if (shape == Shape.THROWING && chance.nextBoolean()) {
                throw new SimServices.Unwilling();
            }
        }

        private long quick() {
            return chance.nextLong(30 * VirtualTime.MILLI);
        }

        private void lasts(Activation a, long takes, boolean listens, Runnable then) {
            running.put(a, threads.lasts(takes, listens, () -> {
                running.remove(a);
                then.run();
            }));
        }

        private String path(Activation a) {
            return "services/" + a.service();
        }

        private BindingValue value(Activation a) {
            return new BindingValue.Remote(a.service(), List.of(new BindingValue.Interface("sim.Service", 1)));
        }

        private void propose(Command command) {
            host.after(Host.OnThread.SERVICE, chance.nextLong(5 * VirtualTime.MILLI), () -> {
                var _ = node.proposer().propose(command);
            });
        }
    }
}
