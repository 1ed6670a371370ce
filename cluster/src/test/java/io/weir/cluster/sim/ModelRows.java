package io.weir.cluster.sim;

import io.weir.base.Fence;
import io.weir.cluster.jdbc.RecordedLeases;
import io.weir.cluster.lease.Acquisition;
import io.weir.cluster.lease.Grant;
import io.weir.cluster.lease.Lease;
import io.weir.cluster.lease.Owner;
import io.weir.cluster.log.LogFault;
import io.weir.cluster.log.LogFault.Kind;
import io.weir.cluster.log.Loop;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** A member's connection to the model of a database with rows of leases. Confined to the simulation's thread. */
final class ModelRows implements RecordedLeases.Rows {
    private static final long TIME_OUT = 1_500 * VirtualTime.MILLI;

    private final World world;
    private final Host host;
    private final Loop loop;
    private final Owner self;
    private final RandomGenerator chance;

    ModelRows(World world, Host host, Loop loop, Owner self) {
        this.world = world;
        this.host = host;
        this.loop = loop;
        this.self = self;
        this.chance = world.chance();
    }

    /** A statement goes there, perhaps; is executed, perhaps late; its answer comes back, perhaps. */
    private <T> CompletableFuture<T> ask(Supplier<T> statement) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        if (!world.database().reachable(host)) {
            host.after(Host.OnThread.SERVICE, TIME_OUT / 3, () -> fail(answer, Kind.NOT_COMMITTED));
            return answer;
        }
        Nastiness n = world.nastiness();
        boolean late = chance.nextInt(1000) < n.late;
        long there = world.network().delay() + (late ? chance.nextLong(TIME_OUT) : 0);
        boolean lost = chance.nextInt(1000) < n.lostRequests;
        boolean unheard = chance.nextInt(1000) < n.lostAnswers;
        if (!lost) {
            world.time().after(there, () -> {
                T done = statement.get();
                long back = world.network().delay();
                if (!unheard) {
                    host.after(Host.OnThread.SERVICE, back, () -> loop.execute(() -> answer.complete(done)));
                }
            });
        }
        host.afterLocal(Host.OnThread.SERVICE, TIME_OUT, () -> fail(answer, Kind.UNKNOWN));
        return answer;
    }

    private <T> void fail(CompletableFuture<T> answer, Kind kind) {
        loop.execute(() -> answer.completeExceptionally(new LogFault(kind, "the database does not answer")));
    }

    @Override
    public Owner self() {
        return self;
    }

    @Override
    public CompletableFuture<Acquisition> acquire(String lease) {
        return ask(() -> {
            ModelDatabase.Row row = world.database().row(lease);
            if (self.equals(row.owner) && !world.database().over(row)) {
                return granted(lease, row, true);
            }
            if (row.owner != null && !world.database().over(row)) {
                return new Acquisition.Refused(row.owner, "held by " + row.owner);
            }
            world.database().take(row, self);
            return granted(lease, row, false);
        });
    }

    private static Acquisition granted(String lease, ModelDatabase.Row row, boolean again) {
        return new Acquisition.Granted(new Grant(lease, row.fence()), again);
    }

    @Override
    public CompletableFuture<Set<Grant>> renew(Collection<Grant> grants) {
        List<Grant> all = List.copyOf(grants);
        return ask(() -> {
            Set<Grant> still = new HashSet<>();
            for (Grant g : all) {
                ModelDatabase.Row row = world.database().row(g.lease());
                if (holds(row, self, g.fence()) && !world.database().over(row)) {
                    world.database().renew(row);
                    still.add(g);
                }
            }
            return still;
        });
    }

    private static boolean holds(ModelDatabase.Row row, Owner owner, Fence fence) {
        return owner.equals(row.owner) && row.fence().equals(fence);
    }

    @Override
    public CompletableFuture<Boolean> release(Grant grant) {
        return ask(() -> free(grant.lease(), self, grant.fence()));
    }

    @Override
    public CompletableFuture<Boolean> evict(String lease, Owner dead) {
        return ask(() -> free(lease, dead, world.database().row(lease).fence()));
    }

    private boolean free(String lease, Owner owner, Fence fence) {
        ModelDatabase.Row row = world.database().row(lease);
        boolean was = holds(row, owner, fence);
        if (was) {
            row.owner = null;
        }
        return was;
    }

    @Override
    public CompletableFuture<Lease> read(String lease) {
        return ask(() -> world.database().row(lease).lease(lease));
    }

    @Override
    public CompletableFuture<List<Lease>> expired() {
        return ask(() -> world.database().overAll());
    }

    @Override
    public void close() {
        // its statements end by themselves
    }
}
