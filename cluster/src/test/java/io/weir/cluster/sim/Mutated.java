package io.weir.cluster.sim;

import io.weir.base.Fence;
import io.weir.cluster.log.ReplicatedState;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.CommandCodec;
import io.weir.cluster.state.Proposal;
import io.weir.cluster.state.StateHolder;
import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.leases.LeaseCommand;
import io.weir.cluster.state.leases.LeaseState;
import io.weir.cluster.state.leases.Leases;
import io.weir.cluster.state.naming.NamingCommand;
import io.weir.cluster.state.singletons.CheckpointCommand;
import io.weir.cluster.state.timers.TimerCommand;

/** The state machine without one of its conditions: commands are made to fit before they are applied. */
final class Mutated implements ReplicatedState {
    private final Mutation mutation;
    private final StateHolder holder;

    Mutated(Mutation mutation, StateHolder holder) {
        this.mutation = mutation;
        this.holder = holder;
    }

    @Override
    public byte[] apply(long index, byte[] command) {
        return holder.apply(index, rewrite(mutation, holder.now(), command));
    }

    static byte[] rewrite(Mutation mutation, ClusterState now, byte[] bytes) {
        if (mutation != Mutation.EXPIRY_WITHOUT_CONDITION && mutation != Mutation.STATE_TAKES_ANY_FENCE) {
            return bytes;
        }
        Proposal p = CommandCodec.decode(bytes);
        return CommandCodec.encode(new Proposal(rewrite(mutation, now, p.command()), p.by(), p.atMillis()));
    }

    private static Command rewrite(Mutation mutation, ClusterState now, Command command) {
        boolean anyFence = mutation == Mutation.STATE_TAKES_ANY_FENCE;
        return switch (command) {
            case LeaseCommand.Expire e
            when !anyFence -> {
                LeaseState l = now.lease(e.lease());
                yield l == null ? e : new LeaseCommand.Expire(e.lease(), e.fence(), l.renewal());
            }
            case NamingCommand.Bind b
            when anyFence -> new NamingCommand.Bind(b.path(), b.lease(), fence(now, b.lease(), b.fence()), b.value());
            case NamingCommand.Rebind b
            when anyFence -> new NamingCommand.Rebind(b.path(), b.lease(), fence(now, b.lease(), b.fence()), b.value());
            case CheckpointCommand.Put c
            when anyFence ->
                new CheckpointCommand.Put(
                        c.singleton(), c.key(), c.text(), fence(now, Leases.ofSingleton(c.singleton()), c.fence()));
            case TimerCommand.Fire f
            when anyFence ->
                new TimerCommand.Fire(f.id(), f.scheduledMillis(), fence(now, Leases.TIMERS, f.fence()), f.requested());
            default -> command;
        };
    }

    private static Fence fence(ClusterState now, String lease, Fence offered) {
        LeaseState l = now.lease(lease);
        return l == null || l.free() ? offered : l.fence();
    }

    @Override
    public byte[] snapshot() {
        return holder.snapshot();
    }

    @Override
    public void restore(byte[] snapshot) {
        holder.restore(snapshot);
    }

    @Override
    public void leadership(boolean leading, long term) {
        holder.leadership(leading, term);
    }
}
