package io.weir.cluster.state;

import io.weir.base.Fence;
import io.weir.cluster.state.Transition.What;
import java.util.Objects;

/** The rules of defining singletons, by configuration or deployment. Pure but for the draft that they change. */
final class Definitions {
    private Definitions() {}

    static Answer define(Draft d, SingletonSpec spec) {
        SingletonState before = d.singletons.get(spec.name());
        if (before == null) {
            return d.singletons.size() >= Limits.SINGLETONS
                    ? Draft.full("singletons", Limits.SINGLETONS)
                    : begin(d, spec);
        }
        if (!Objects.equals(before.spec().deployment(), spec.deployment())) {
            return takesOver(before.spec(), spec) ? d.ok() : taken(before);
        }
        if (!before.spec().equals(spec)) {
            redefine(d, before, spec);
        }
        return d.ok();
    }

    /**
     * Whether a deployment's singleton takes the place of a configured one: it is of the same class, so its configuration was
     * meant for it. The deployment's stays, whoever defines the configured one again.
     */
    static boolean takesOver(SingletonSpec deployed, SingletonSpec configured) {
        return deployed.deployment() != null
                && configured.deployment() == null
                && deployed.className().equals(configured.className())
                && !configured.name().equals(Leases.TIMERS_SERVICE);
    }

    static Answer taken(SingletonState there) {
        String whose = there.spec().deployment() == null
                ? "of the configuration"
                : "of deployment " + there.spec().deployment();
        return Draft.refused(Refusal.NAME_TAKEN, "there is a singleton " + there.name() + " " + whose);
    }

    private static Answer begin(Draft d, SingletonSpec spec) {
        SingletonState made = new SingletonState(
                spec,
                Phase.UNPLACED,
                null,
                0,
                Fence.NONE,
                null,
                SingletonState.NOBODY,
                0,
                0,
                Fence.NONE,
                "defined",
                d.index,
                0);
        if (spec.enabled()) {
            Singletons.place(d, made, "defined", null);
        } else {
            Singletons.change(d, null, made.nowhere(Phase.PAUSED, "not enabled"));
        }
        return d.ok();
    }

    static void redefine(Draft d, SingletonState before, SingletonSpec spec) {
        SingletonState s = before.specified(spec);
        String reason = "defined anew: " + String.join(", ", spec.differences(before.spec()));
        boolean pausedByOperator =
                before.phase() == Phase.PAUSED && before.spec().enabled();
        if (!spec.enabled()) {
            Singletons.change(d, before, s.nowhere(Phase.PAUSED, "not enabled"));
        } else if (pausedByOperator || stays(before, spec)) {
            Singletons.change(d, before, s);
            String place = Singletons.place(s);
            d.record(What.SINGLETON, s.name(), place, place, s.fence(), reason);
        } else {
            Singletons.place(d, s.fresh(), reason, before.member());
        }
    }

    /** Whether it may go on where it is, with the code it has. */
    private static boolean stays(SingletonState before, SingletonSpec spec) {
        return before.member() != null
                && spec.mayRunOn(before.member())
                && before.spec().className().equals(spec.className())
                && before.spec().properties().equals(spec.properties());
    }

    /** The same specification, with code that changed: it is activated anew, where it is if that may be. */
    static void renew(Draft d, SingletonState s, String reason) {
        if (s.phase() != Phase.PAUSED) {
            Singletons.place(d, s.fresh(), reason, s.member());
        }
    }

    static Answer forget(Draft d, SingletonCommand.Forget c) {
        SingletonState s = d.singletons.get(c.name());
        if (s == null) {
            return Draft.unknown("singleton", c.name());
        }
        String deployment = s.spec().deployment();
        if (deployment != null) {
            return Draft.refused(
                    Refusal.CONFIGURED,
                    "the deployment " + deployment + " has " + c.name() + ": undeploy it, or deploy one without it");
        }
        Answer refusal = Configurations.refusal(d, c.name(), k -> k.singletons().contains(c.name()));
        return refusal != null ? refusal : undefine(d, c.name(), forgotten(c.reason()));
    }

    static String forgotten(String reason) {
        return "forgotten" + (reason.isEmpty() ? "" : ": " + reason);
    }

    static Answer undefine(Draft d, String name, String reason) {
        SingletonState before = d.singletons.get(name);
        if (before != null) {
            d.singletons.remove(name);
            CheckpointRules.drop(d, name);
            d.tell(new Event.SingletonChanged(name, before, null));
            d.record(What.SINGLETON, name, Singletons.place(before), "", Fence.NONE, reason);
        }
        return d.ok();
    }
}
