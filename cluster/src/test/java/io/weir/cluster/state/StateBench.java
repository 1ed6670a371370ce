package io.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Fence;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.AnswerCodec;
import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.entry.Event;
import io.weir.cluster.state.entry.Refusal;
import io.weir.cluster.state.leases.LeaseCommand;
import io.weir.cluster.state.leases.LeaseState;
import io.weir.cluster.state.leases.Leases;
import io.weir.cluster.state.members.MemberCommand;
import io.weir.cluster.state.naming.Binding;
import io.weir.cluster.state.singletons.SingletonCommand;
import io.weir.cluster.state.singletons.SingletonSpec;
import io.weir.cluster.state.singletons.SingletonState;
import io.weir.cluster.state.timers.TimerState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeSet;

/** A state and what is applied to it, through bytes as in a log. Confined to its test. */
final class StateBench {
    static final long AT = 1_700_000_000_000L;

    ClusterState state = ClusterState.EMPTY;
    List<Event> events = List.of();
    private final Map<String, Long> incarnations = new HashMap<>();
    private long index;
    private long request;

    /** A cluster of these members, alive, with placement begun. */
    static StateBench of(String... members) {
        StateBench b = new StateBench();
        b.up(members);
        b.ok(new MemberCommand.BootDelayOver(0));
        return b;
    }

    /** Applies a command as the next entry. */
    Answer apply(Command command) {
        // gaps, as in a log whose own entries take indexes too
        index += 1 + index % 3;
        byte[] bytes = CommandCodec.encode(new Proposal(command, "tester", AT));
        Applied applied = StateMachine.apply(state, index, bytes);
        state = applied.after();
        events = applied.events();
        return AnswerCodec.decode(AnswerCodec.encode(applied.answer()));
    }

    /** Applies what must be accepted. */
    Answer ok(Command command) {
        Answer a = apply(command);
        assertThat(a.accepted()).as(command + " -> " + a).isTrue();
        return a;
    }

    /**
     * Applies what must be refused, leaving everything but the index and the count of refusals as it was.
     *
     * @return the text
     */
    String refused(Command command, Refusal reason) {
        ClusterState before = state;
        Answer a = apply(command);
        assertThat(a)
                .as(command + "")
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        r -> assertThat(r.reason()).as(r.text()).isEqualTo(reason));
        unchanged(before);
        return ((Answer.Refused) a).text();
    }

    /** A member says what its configuration has. */
    void configures(String member, List<String> singletons, List<String> timers) {
        ok(new MemberCommand.Configures(member, incarnation(member), new TreeSet<>(singletons), new TreeSet<>(timers)));
    }

    void unchanged(ClusterState before) {
        assertThat(state.leases()).isEqualTo(before.leases());
        assertThat(state.members()).isEqualTo(before.members());
        assertThat(state.singletons()).isEqualTo(before.singletons());
        assertThat(state.bindings()).isEqualTo(before.bindings());
        assertThat(state.timers()).isEqualTo(before.timers());
        assertThat(state.deployments()).isEqualTo(before.deployments());
        assertThat(state.history()).isEqualTo(before.history());
    }

    /** The state with other leases and names. */
    ClusterState with(SortedMap<String, LeaseState> leases, SortedMap<String, Binding> bindings) {
        return new ClusterState(
                state.applied(),
                state.epoch(),
                state.tookOver(),
                state.boot(),
                state.fenceRefusals(),
                state.members(),
                leases,
                state.singletons(),
                bindings,
                state.timers(),
                state.deployments(),
                state.checkpoints(),
                state.configurations(),
                state.purges(),
                state.history());
    }

    /** What the history has of a name, as its from, to and fence. */
    List<String> history(String name) {
        return state.history().stream()
                .filter(t -> t.name().equals(name))
                .map(t -> t.from() + " to " + t.to() + " " + t.fence())
                .toList();
    }

    /** Members start, each with a new incarnation and its own storage, and become alive. */
    void up(String... members) {
        for (String m : members) {
            join(m);
            alive(m);
        }
    }

    void join(String member) {
        incarnations.merge(member, 1L, (a, _) -> a + 1);
        ok(new MemberCommand.Join(member, incarnation(member), "disk-of-" + member, member + ":7001", false));
    }

    Fence alive(String member) {
        return granted(acquire(Leases.ofMember(member), member));
    }

    /** The member's lease expires, and those of its singletons. */
    void dies(String member) {
        expire(Leases.ofMember(member));
        state.heldBy(member, incarnation(member)).map(LeaseState::name).toList().forEach(this::expire);
    }

    void expire(String lease) {
        LeaseState l = lease(lease);
        ok(new LeaseCommand.Expire(lease, l.fence(), l.renewal()));
    }

    long incarnation(String member) {
        return Objects.requireNonNull(incarnations.get(member), member);
    }

    Answer acquire(String lease, String member) {
        return apply(new LeaseCommand.Acquire(lease, member, incarnation(member), ++request));
    }

    static Fence granted(Answer a) {
        assertThat(a).isInstanceOf(Answer.Granted.class);
        return ((Answer.Granted) a).fence();
    }

    LeaseState lease(String name) {
        return Objects.requireNonNull(state.lease(name), name);
    }

    Fence fence(String lease) {
        return lease(lease).fence();
    }

    SingletonState singleton(String name) {
        return Objects.requireNonNull(state.singleton(name), name);
    }

    TimerState timer(String id) {
        return Objects.requireNonNull(state.timer(id), id);
    }

    /** Phase and member, as in {@code active on a}. */
    String where(String singleton) {
        return singleton(singleton).place();
    }

    /** The member on which it is placed takes the lease. */
    Fence takes(String singleton) {
        String member = Objects.requireNonNull(singleton(singleton).member(), "not placed");
        return granted(acquire(Leases.ofSingleton(singleton), member));
    }

    /** The member on which it is placed takes the lease, and activates. */
    Fence runs(String singleton) {
        Fence f = takes(singleton);
        ok(new SingletonCommand.Activated(singleton, f, 1_000));
        return f;
    }

    /** The member on which it is placed takes the lease, and fails to activate. */
    void fails(String singleton) {
        ok(new SingletonCommand.ActivationFailed(singleton, takes(singleton), "no luck"));
    }

    void releases(String singleton) {
        String lease = Leases.ofSingleton(singleton);
        ok(new LeaseCommand.Release(lease, fence(lease)));
    }

    /** Defines a singleton. */
    void define(SingletonSpec spec) {
        ok(new SingletonCommand.Define(spec));
    }

    <E extends Event> List<E> events(Class<E> kind) {
        List<E> some = new ArrayList<>();
        for (Event e : events) {
            if (kind.isInstance(e)) {
                some.add(kind.cast(e));
            }
        }
        return some;
    }
}
