package io.weir.cluster.sim;

import io.weir.cluster.log.ReplicatedState;
import io.weir.cluster.state.Applied;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.CommandCodec;
import io.weir.cluster.state.Proposal;
import io.weir.cluster.state.SnapshotCodec;
import io.weir.cluster.state.StateHolder;
import io.weir.cluster.state.StateMachine;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.AnswerCodec;
import io.weir.cluster.state.entry.Command;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The state at the true moment of each commitment, and whether every member that applied the same comes to the same.
 * Confined to the simulation's thread.
 */
final class Truth implements LogWatch {
    private static final int COMPARED = 16;
    /** Where states are large. */
    private static final int COMPARED_SELDOM = 1_000;

    /** A time in which a member believed that it leads. */
    private static final class Reign {
        final Replica replica;
        final long from;
        long to = Long.MAX_VALUE;

        Reign(Replica replica, long from) {
            this.replica = replica;
            this.from = from;
        }
    }

    /** A line of the log, made a text only when somebody reads it. */
    private record Committed(long index, Command command, Answer answer) {
        @Override
        public String toString() {
            return index + " " + command + " -> " + answer;
        }
    }

    private final World world;
    private final Map<Long, byte[]> answers = new HashMap<>();
    private final Map<Long, ClusterState> states = new HashMap<>();
    private final List<Reign> reigns = new ArrayList<>();
    private ClusterState state = ClusterState.EMPTY;

    Truth(World world) {
        this.world = world;
    }

    ClusterState state() {
        return state;
    }

    void committed(Entry e) {
        ClusterState before = state;
        byte[] command = Mutated.rewrite(world.mutation(), before, e.command());
        Applied applied = StateMachine.apply(before, e.index(), command);
        state = applied.after();
        answers.put(e.index(), AnswerCodec.encode(applied.answer()));
        if (world.consensus().committed() % (world.plan().shaped() ? COMPARED_SELDOM : COMPARED) == 0) {
            states.put(e.index(), state);
            byte[] snapshot = SnapshotCodec.encode(state);
            world.referee().check(SnapshotCodec.decode(snapshot).equals(state), "snapshot-differs", "at " + e.index());
        }
        Proposal proposal = CommandCodec.decode(command);
        world.log().add("log", new Committed(e.index(), proposal.command(), applied.answer()));
        world.invariants().committed(before, proposal.command(), applied);
        if (world.mutation() == Mutation.STATE_TAKES_ANY_FENCE) {
            proposal = CommandCodec.decode(e.command());
        }
        world.invariants().accepted(before, proposal.command(), applied.answer());
    }

    @Override
    public void applied(Replica by, Entry entry, byte[] answer) {
        byte[] expected = answers.get(entry.index());
        world.referee().check(Arrays.equals(expected, answer), "answers-differ", by.name() + " at " + entry.index());
        compare(by, entry.index());
    }

    @Override
    public void installed(Replica by) {
        world.log().add(by.name(), "installed a snapshot of " + by.applied + " entries");
    }

    private void compare(Replica by, long index) {
        ClusterState expected = states.get(index);
        if (expected != null) {
            ClusterState has = world.member(by.name()).state();
            world.referee().check(expected.equals(has), "states-differ", by.name() + " at " + index);
        }
    }

    /** At the end all members have the same. */
    void allEqual() {
        for (Member m : world.members()) {
            world.referee().check(state.equals(m.state()), "states-differ", m.name() + " at the end");
        }
    }

    @Override
    public void leads(Replica member, boolean leads, long term) {
        world.log().add(member.name(), (leads ? "leads" : "leads no more") + " in term " + term);
        if (leads) {
            reigns.add(new Reign(member, world.time().now()));
        } else {
            reigns.stream()
                    .filter(r -> r.replica == member && r.to == Long.MAX_VALUE)
                    .forEach(this::ends);
        }
    }

    /** Its loop hears of it later than its log: when a stopped process goes on, perhaps after a look at the leases. */
    private void ends(Reign r) {
        r.replica.host.after(
                Host.OnThread.LOOP,
                2 * VirtualTime.SECOND,
                () -> r.to = Math.min(r.to, world.time().now()));
    }

    void died(String name) {
        reigns.stream()
                .filter(r -> r.replica.name().equals(name) && r.to == Long.MAX_VALUE)
                .forEach(r -> r.to = world.time().now());
    }

    /** A leader may have said so long ago, where the log is late: only that somebody could have measured is asked. */
    boolean ledSomebodySince(long since) {
        long whole = (long) (Member.TIMES.timeToLive().toNanos() * (1 - Plan.DRIFT));
        return reigns.stream().anyMatch(r -> Math.min(r.to, world.time().now()) - Math.max(r.from, since) >= whole);
    }

    /** A copy of the state for a member's process, with the mutation of this run in front of it. */
    ReplicatedState behind(StateHolder holder) {
        return world.mutation() == Mutation.NONE ? holder : new Mutated(world.mutation(), holder);
    }
}
