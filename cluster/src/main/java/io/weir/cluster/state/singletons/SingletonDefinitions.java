package io.weir.cluster.state.singletons;

import io.weir.base.Fence;
import io.weir.cluster.state.bytes.StateLimits;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Draft;
import io.weir.cluster.state.entry.Refusal;
import io.weir.cluster.state.entry.Transition.What;
import io.weir.cluster.state.leases.Leases;
import io.weir.cluster.state.members.MemberRules;
import java.util.Objects;

/**
 * The rules of defining singletons, by configuration or deployment. Pure except for their changes to the draft;
 * confined to the application of one entry.
 */
public final class SingletonDefinitions {
    private final Draft draft;
    private final SingletonTable singletons;
    private final CheckpointRules checkpoints;
    private final MemberRules members;

    /** Starts from the state before the entry. */
    public SingletonDefinitions(
            Draft draft, SingletonTable singletons, CheckpointRules checkpoints, MemberRules members) {
        this.draft = draft;
        this.singletons = singletons;
        this.checkpoints = checkpoints;
        this.members = members;
    }

    public Answer define(SingletonSpec spec) {
        SingletonState before = singletons.get(spec.name());
        if (before == null) {
            return singletons.size() >= StateLimits.SINGLETONS
                    ? Draft.full("singletons", StateLimits.SINGLETONS)
                    : begin(spec);
        }
        if (!Objects.equals(before.spec().deployment(), spec.deployment())) {
            return takesOver(before.spec(), spec) ? draft.ok() : taken(before);
        }
        if (!before.spec().equals(spec)) {
            redefine(before, spec);
        }
        return draft.ok();
    }

    /**
     * Whether a deployment's singleton replaces a configured one: it has the same class, so the configuration was meant
     * for it. The deployment's singleton remains, even if the configured one is defined again.
     */
    public static boolean takesOver(SingletonSpec deployed, SingletonSpec configured) {
        return deployed.deployment() != null
                && configured.deployment() == null
                && deployed.className().equals(configured.className())
                && !configured.name().equals(Leases.TIMERS_SERVICE);
    }

    public static Answer taken(SingletonState there) {
        String whose = there.spec().deployment() == null
                ? "of the configuration"
                : "of deployment " + there.spec().deployment();
        return Draft.refused(Refusal.NAME_TAKEN, "there is a singleton " + there.name() + " " + whose);
    }

    private Answer begin(SingletonSpec spec) {
        SingletonState made = new SingletonState(
                spec,
                Phase.UNPLACED,
                null,
                0,
                Fence.NONE,
                null,
                SingletonState.NO_MEMBERS,
                0,
                0,
                Fence.NONE,
                "defined",
                draft.index(),
                0);
        if (spec.enabled()) {
            singletons.place(made, "defined", null);
        } else {
            singletons.change(null, made.nowhere(Phase.PAUSED, "not enabled"));
        }
        return draft.ok();
    }

    public void redefine(SingletonState before, SingletonSpec spec) {
        SingletonState s = before.specified(spec);
        String reason = "redefined: " + String.join(", ", spec.differences(before.spec()));
        boolean pausedByOperator =
                before.phase() == Phase.PAUSED && before.spec().enabled();
        if (!spec.enabled()) {
            singletons.change(before, s.nowhere(Phase.PAUSED, "not enabled"));
        } else if (pausedByOperator || stays(before, spec)) {
            singletons.change(before, s);
            recordWhereItIs(s, reason);
        } else {
            singletons.place(s.fresh(), reason, before.member());
            SingletonState now = singletons.get(s.name());
            if (now != null && now.place().equals(before.place())) {
                // not placed, or still on the same member: there was no transition that wrote a line
                recordWhereItIs(now, reason);
            }
        }
    }

    private void recordWhereItIs(SingletonState s, String reason) {
        String place = s.place();
        draft.record(What.SINGLETON, s.name(), place, place, s.fence(), reason);
    }

    /** Whether it may continue on its member with its current code. */
    private static boolean stays(SingletonState before, SingletonSpec spec) {
        return before.member() != null
                && spec.mayRunOn(before.member())
                && before.spec().className().equals(spec.className())
                && before.spec().properties().equals(spec.properties());
    }

    /** The specification is the same but its code changed: reactivates it, on the same member if possible. */
    public void renew(SingletonState s, String reason) {
        if (s.phase() != Phase.PAUSED) {
            singletons.place(s.fresh(), reason, s.member());
        }
    }

    Answer forget(SingletonCommand.Forget c) {
        SingletonState s = singletons.get(c.name());
        if (s == null) {
            return Draft.unknown("singleton", c.name());
        }
        String deployment = s.spec().deployment();
        if (deployment != null) {
            return Draft.refused(
                    Refusal.CONFIGURED,
                    "the deployment " + deployment + " has " + c.name() + ": undeploy it, or deploy one without it");
        }
        Answer refusal =
                members.configured().refusal(c.name(), k -> k.singletons().contains(c.name()));
        return refusal != null ? refusal : undefine(c.name(), Draft.why("forgotten", c.reason()));
    }

    public Answer undefine(String name, String reason) {
        SingletonState before = singletons.get(name);
        if (before != null) {
            singletons.remove(name);
            checkpoints.drop(name);
            draft.emit(new SingletonChanged(name, before, null));
            draft.record(What.SINGLETON, name, before.place(), "", Fence.NONE, reason);
        }
        return draft.ok();
    }
}
