package io.weir.cluster.state;

import java.util.List;

/** The rules of what singletons remember. Pure but for the draft that they change. */
final class CheckpointRules {
    private CheckpointRules() {}

    static Answer apply(Draft d, CheckpointCommand command) {
        return switch (command) {
            case CheckpointCommand.Put c -> put(d, c);
            case CheckpointCommand.Remove c -> remove(d, c);
        };
    }

    private static Answer put(Draft d, CheckpointCommand.Put c) {
        SingletonState s = d.singletons.get(c.singleton());
        if (s == null) {
            return Draft.unknown("singleton", c.singleton());
        }
        Answer refusal = d.fenced(s.lease(), c.fence(), "checkpoint " + c.key() + " of " + c.singleton());
        if (refusal != null) {
            return refusal;
        }
        Checkpoint fresh = new Checkpoint(c.singleton(), c.key(), c.text(), c.fence(), d.index);
        if (d.checkpoints.get(fresh.path()) == null) {
            if (of(d, c.singleton()).size() >= Limits.CHECKPOINTS_OF_ONE) {
                return Draft.full("checkpoints of " + c.singleton(), Limits.CHECKPOINTS_OF_ONE);
            }
            if (d.checkpoints.size() >= Limits.CHECKPOINTS) {
                return Draft.full("checkpoints", Limits.CHECKPOINTS);
            }
        }
        d.checkpoints.put(fresh.path(), fresh);
        return d.ok();
    }

    private static Answer remove(Draft d, CheckpointCommand.Remove c) {
        SingletonState s = d.singletons.get(c.singleton());
        if (s == null) {
            return d.ok();
        }
        Answer refusal = d.fenced(s.lease(), c.fence(), "forgetting checkpoint " + c.key() + " of " + c.singleton());
        if (refusal != null) {
            return refusal;
        }
        if (d.checkpoints.get(Checkpoint.path(c.singleton(), c.key())) != null) {
            d.checkpoints.remove(Checkpoint.path(c.singleton(), c.key()));
        }
        return d.ok();
    }

    private static List<String> of(Draft d, String singleton) {
        return List.copyOf(d.checkpoints
                .view()
                .subMap(Checkpoint.from(singleton), Checkpoint.to(singleton))
                .keySet());
    }

    /** The singleton is no more, and with it what it remembered. */
    static void drop(Draft d, String singleton) {
        of(d, singleton).forEach(d.checkpoints::remove);
    }
}
