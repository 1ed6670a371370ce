package io.weir.cluster.state.singletons;

import io.weir.cluster.state.bytes.StateLimits;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Draft;
import io.weir.cluster.state.entry.DraftTable;
import io.weir.cluster.state.leases.LeaseRules;
import java.util.List;
import java.util.SortedMap;

/** The rules of checkpoints. Pure except for their changes to the draft; confined to the application of one entry. */
public final class CheckpointRules {
    private final Draft draft;
    private final DraftTable<Checkpoint> checkpoints;
    private final SingletonTable singletons;
    private final LeaseRules leases;

    /** Starts from the state before the entry. */
    public CheckpointRules(
            Draft draft, SortedMap<String, Checkpoint> before, SingletonTable singletons, LeaseRules leases) {
        this.draft = draft;
        this.checkpoints = new DraftTable<>(before);
        this.singletons = singletons;
        this.leases = leases;
    }

    /** The result for the next state. */
    public SortedMap<String, Checkpoint> done() {
        return checkpoints.done();
    }

    public Answer apply(CheckpointCommand command) {
        return switch (command) {
            case CheckpointCommand.Put c -> put(c);
            case CheckpointCommand.Remove c -> remove(c);
        };
    }

    private Answer put(CheckpointCommand.Put c) {
        SingletonState s = singletons.get(c.singleton());
        if (s == null) {
            return Draft.unknown("singleton", c.singleton());
        }
        Answer refusal = leases.fenced(s.lease(), c.fence(), "checkpoint " + c.key() + " of " + c.singleton());
        if (refusal != null) {
            return refusal;
        }
        Checkpoint fresh = new Checkpoint(c.singleton(), c.key(), c.text(), c.fence(), draft.index());
        if (checkpoints.get(fresh.path()) == null) {
            if (of(c.singleton()).size() >= StateLimits.CHECKPOINTS_OF_ONE) {
                return Draft.full("checkpoints of " + c.singleton(), StateLimits.CHECKPOINTS_OF_ONE);
            }
            if (checkpoints.size() >= StateLimits.CHECKPOINTS) {
                return Draft.full("checkpoints", StateLimits.CHECKPOINTS);
            }
        }
        checkpoints.put(fresh.path(), fresh);
        return draft.ok();
    }

    private Answer remove(CheckpointCommand.Remove c) {
        SingletonState s = singletons.get(c.singleton());
        if (s == null) {
            return draft.ok();
        }
        Answer refusal =
                leases.fenced(s.lease(), c.fence(), "forgetting checkpoint " + c.key() + " of " + c.singleton());
        if (refusal != null) {
            return refusal;
        }
        if (checkpoints.get(Checkpoint.path(c.singleton(), c.key())) != null) {
            checkpoints.remove(Checkpoint.path(c.singleton(), c.key()));
        }
        return draft.ok();
    }

    private List<String> of(String singleton) {
        return List.copyOf(checkpoints
                .view()
                .subMap(Checkpoint.from(singleton), Checkpoint.to(singleton))
                .keySet());
    }

    /** The singleton was removed: removes its checkpoints. */
    void drop(String singleton) {
        of(singleton).forEach(checkpoints::remove);
    }
}
