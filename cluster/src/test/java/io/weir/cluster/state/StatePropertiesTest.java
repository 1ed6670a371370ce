package io.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.Fence;
import io.weir.cluster.state.bytes.StateLimits;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.entry.Event;
import io.weir.cluster.state.entry.Refusal;
import io.weir.cluster.state.leases.LeaseState;
import io.weir.cluster.state.leases.Leases;
import io.weir.cluster.state.naming.Binding;
import io.weir.cluster.state.purges.Purge;
import io.weir.cluster.state.purges.PurgeLog;
import io.weir.cluster.state.singletons.Phase;
import io.weir.cluster.state.singletons.Placement;
import io.weir.cluster.state.singletons.SingletonState;
import io.weir.cluster.state.timers.TimerEvent;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What holds in every state that any sequence of commands leads to. */
class StatePropertiesTest {
    private static final int SEEDS = 40;
    private static final int COMMANDS = 400;

    private final Map<String, Fence> fences = new HashMap<>();
    private final Set<Object> fired = new HashSet<>();
    private final Set<Phase> seen = EnumSet.noneOf(Phase.class);
    private final Set<Refusal> refusals = EnumSet.noneOf(Refusal.class);

    @Test
    void whateverIsProposedTheRulesHold() {
        runAll(1, SEEDS);
        assertThat(seen).as("phases that were reached").containsExactlyInAnyOrder(Phase.values());
        assertThat(refusals).contains(Refusal.STALE_FENCE, Refusal.CHANGED, Refusal.NOT_PLACED, Refusal.NAME_BOUND);
    }

    @Test
    @Tag("nightly")
    void alsoWithManyMoreSeeds() {
        runAll(1_000, 5_000);
    }

    private void runAll(long first, int seeds) {
        for (long seed = first; seed < first + seeds; seed++) {
            fences.clear();
            fired.clear();
            run(seed);
        }
    }

    private void run(long seed) {
        RandomCommands commands = new RandomCommands(Chance.seeded(seed).random());
        ClusterState state = ClusterState.EMPTY;
        for (int i = 1; i <= COMMANDS; i++) {
            Command c = commands.next(state);
            byte[] bytes = CommandCodec.encode(new Proposal(c, "by", i));
            Applied a = StateMachine.apply(state, i * 2L, bytes);
            String where = "seed " + seed + ", command " + i + ": " + c + " -> " + a.answer();
            check(where, state, a);
            if (i % 40 == 0) {
                replicas(where, state, a, bytes, i * 2L);
            }
            state = a.after();
        }
    }

    private void check(String where, ClusterState before, Applied a) {
        ClusterState now = a.after();
        if (a.answer() instanceof Answer.Refused r) {
            refusals.add(r.reason());
        }
        leases(where, now);
        now.singletons().values().forEach(s -> singleton(where, now, s));
        for (Binding b : now.bindings().values()) {
            assertThat(now.current(b.lease(), b.fence())).as(where + ": " + b).isTrue();
            assertThat(now.owner(b.lease())).as(where).isEqualTo(b.member());
        }
        for (Event e : a.events()) {
            if (e instanceof TimerEvent.Fired f) {
                assertThat(fired.add(f)).as(where + ": fired twice").isTrue();
                assertThat(before.current(Leases.TIMERS, f.fence())).as(where).isTrue();
            }
        }
        assertThat(now.history().size()).as(where).isLessThanOrEqualTo(StateLimits.HISTORY);
        assertThat(now.fenceRefusals()).as(where).isGreaterThanOrEqualTo(before.fenceRefusals());
        purges(where, before.purges(), now.purges());
        assertThat(now.explain("one")).as(where).isNotEmpty();
    }

    private static void purges(String where, PurgeLog before, PurgeLog now) {
        List<Long> numbers = now.kept().stream().map(Purge::number).toList();
        assertThat(numbers).as(where).isSorted().doesNotHaveDuplicates().allMatch(n -> n > now.floor());
        assertThat(now.kept().size()).as(where).isLessThanOrEqualTo(StateLimits.PURGES);
        assertThat(now.kept().stream().mapToInt(p -> p.url().length()).sum())
                .as(where)
                .isLessThanOrEqualTo(StateLimits.PURGE_CHARS);
        if (!numbers.isEmpty()) {
            assertThat(numbers.getLast()).as(where).isEqualTo(now.last());
        }
        if (now.last() > before.last()) {
            List<Purge> missed = now.missed(before.id(), before.last());
            assertThat(missed)
                    .as(where + ": whoever had all before has missed this one only")
                    .isEqualTo(List.of(now.kept().getLast()));
        }
        assertThat(now.applied().values()).as(where).allMatch(n -> n <= now.last());
    }

    private void leases(String where, ClusterState now) {
        for (LeaseState l : now.leases().values()) {
            Fence highest = fences.getOrDefault(l.name(), Fence.NONE);
            assertThat(l.fence()).as(where + ": " + l).isGreaterThanOrEqualTo(highest);
            fences.put(l.name(), l.fence());
        }
        assertThat(now.leases().keySet()).as(where + ": kept for ever").containsAll(fences.keySet());
    }

    private void singleton(String where, ClusterState now, SingletonState s) {
        String what = where + ": " + s;
        seen.add(s.phase());
        boolean somewhere = s.phase() == Phase.PLACED || s.running();
        assertThat(s.member() != null).as(what).isEqualTo(somewhere);
        assertThat(s.version()).as(what).isLessThanOrEqualTo(now.applied());
        if (s.running()) {
            assertThat(now.current(s.lease(), s.fence())).as(what).isTrue();
            assertThat(now.owner(s.lease())).as(what).isEqualTo(s.member());
        }
        if (s.phase() == Phase.PLACED) {
            assertThat(now.alive("" + s.member())).as(what).isTrue();
        }
        List<String> destinations = Placement.destinations(now.liveness(), s);
        if (s.phase() == Phase.UNPLACED && !now.boot().pending()) {
            assertThat(destinations).as(what + " is left without a member").isEmpty();
        }
        if (s.phase() == Phase.WAITING && !now.boot().pending()) {
            assertThat(s.tried()).as(what + " waits though it could be tried").containsAll(destinations);
            assertThat(s.circuits()).as(what).isBetween(1, s.spec().additionalAttempts());
        }
    }

    /** A replica that began from a snapshot comes to the same state, answer and events. */
    private static void replicas(String where, ClusterState before, Applied a, byte[] bytes, long index) {
        ClusterState copy = SnapshotCodec.decode(SnapshotCodec.encode(before));
        assertThat(copy).as(where).isEqualTo(before);
        Applied again = StateMachine.apply(copy, index, bytes);
        assertThat(again.after()).as(where).isEqualTo(a.after());
        assertThat(again.answer()).as(where).isEqualTo(a.answer());
        assertThat(again.events()).as(where).isEqualTo(a.events());
    }
}
