package io.weir.cluster.state;

import io.weir.base.Fence;
import io.weir.cluster.state.Transition.What;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The rules of deployments. Pure but for the draft that they change. */
final class Deployments {
    private Deployments() {}

    static Answer apply(Draft d, DeploymentCommand command) {
        return switch (command) {
            case DeploymentCommand.Deploy c -> deploy(d, c);
            case DeploymentCommand.Fetched c -> fetched(d, c);
            case DeploymentCommand.Undeploy c -> undeploy(d, c);
        };
    }

    private static Answer deploy(Draft d, DeploymentCommand.Deploy c) {
        Deployment before = d.deployments.get(c.name());
        Answer refusal = refused(d, c, before);
        if (refusal != null) {
            return refusal;
        }
        if (before != null && before.sha256().equals(c.sha256()) && same(d, c)) {
            if (!c.reason().isEmpty()) {
                String there = "version " + before.version();
                d.record(
                        What.DEPLOYMENT,
                        c.name(),
                        there,
                        there,
                        Fence.NONE,
                        "deployed again, nothing changed: " + c.reason());
            }
            return addSource(d, before, c.source());
        }
        Deployment now = new Deployment(c.name(), c.sha256(), c.size(), d.index, new TreeSet<>(Set.of(c.source())));
        d.deployments.put(c.name(), now);
        d.tell(new Event.DeploymentChanged(c.name(), before, now));
        String was = before == null ? "" : "version " + before.version();
        String what = before == null ? "deployed" : "deployed anew";
        String why = c.reason().isEmpty() ? "" : ": " + c.reason();
        d.record(What.DEPLOYMENT, c.name(), was, "version " + d.index, Fence.NONE, what + ", " + c.sha256() + why);
        for (SingletonState s : of(d, c.name())) {
            if (c.singletons().stream().noneMatch(n -> n.name().equals(s.name()))) {
                Definitions.undefine(d, s.name(), "not in the new version of " + c.name());
            }
        }
        c.singletons().forEach(spec -> defined(d, spec, what));
        return d.ok();
    }

    private static void defined(Draft d, SingletonSpec spec, String what) {
        SingletonState before = d.singletons.get(spec.name());
        if (before != null && before.spec().equals(spec)) {
            Definitions.renew(d, before, spec.deployment() + " was " + what);
        } else if (before != null && spec.enabled() && before.phase() != Phase.PAUSED) {
            Singletons.place(d, before.specified(spec).fresh(), spec.deployment() + " was " + what, before.member());
        } else if (before != null) {
            Definitions.redefine(d, before, spec);
        } else {
            Definitions.define(d, spec);
        }
    }

    private static @Nullable Answer refused(Draft d, DeploymentCommand.Deploy c, @Nullable Deployment before) {
        if (before == null && d.deployments.size() >= Limits.DEPLOYMENTS) {
            return Draft.full("deployments", Limits.DEPLOYMENTS);
        }
        int fresh = 0;
        Set<String> names = new TreeSet<>();
        for (SingletonSpec spec : c.singletons()) {
            SingletonState there = d.singletons.get(spec.name());
            fresh += there == null ? 1 : 0;
            if (!c.name().equals(spec.deployment()) || !names.add(spec.name())) {
                return Draft.refused(Refusal.MALFORMED, spec.name() + " is named twice, or not of " + c.name());
            }
            if (there != null
                    && !c.name().equals(there.spec().deployment())
                    && !Definitions.takesOver(spec, there.spec())) {
                return Definitions.taken(there);
            }
        }
        return d.singletons.size() + fresh > Limits.SINGLETONS ? Draft.full("singletons", Limits.SINGLETONS) : null;
    }

    private static boolean same(Draft d, DeploymentCommand.Deploy c) {
        Set<SingletonSpec> there =
                of(d, c.name()).stream().map(SingletonState::spec).collect(Collectors.toSet());
        return there.equals(Set.copyOf(c.singletons()));
    }

    private static List<SingletonState> of(Draft d, String deployment) {
        return d.singletons.view().values().stream()
                .filter(s -> deployment.equals(s.spec().deployment()))
                .toList();
    }

    private static Answer fetched(Draft d, DeploymentCommand.Fetched c) {
        Deployment before = d.deployments.get(c.name());
        if (before == null) {
            return Draft.unknown("deployment", c.name());
        }
        if (before.version() != c.version()) {
            return Draft.refused(Refusal.CHANGED, c.name() + " has version " + before.version() + " by now");
        }
        return d.members.get(c.member()) == null
                ? Draft.unknown("member", c.member())
                : addSource(d, before, c.member());
    }

    private static Answer addSource(Draft d, Deployment before, String member) {
        SortedSet<String> sources = new TreeSet<>(before.sources());
        if (sources.add(member)) {
            put(d, before, sources);
        }
        return d.ok();
    }

    /** The member was removed: nothing is fetched from it any more. */
    static void withoutSource(Draft d, String member) {
        for (Deployment before : List.copyOf(d.deployments.view().values())) {
            SortedSet<String> sources = new TreeSet<>(before.sources());
            if (sources.remove(member)) {
                put(d, before, sources);
            }
        }
    }

    private static void put(Draft d, Deployment before, SortedSet<String> sources) {
        Deployment now = new Deployment(before.name(), before.sha256(), before.size(), before.version(), sources);
        d.deployments.put(before.name(), now);
        d.tell(new Event.DeploymentChanged(before.name(), before, now));
    }

    private static Answer undeploy(Draft d, DeploymentCommand.Undeploy c) {
        Deployment before = d.deployments.get(c.name());
        if (before == null) {
            return d.ok();
        }
        String why = c.reason().isEmpty() ? "" : ": " + c.reason();
        of(d, c.name()).forEach(s -> Definitions.undefine(d, s.name(), c.name() + " was undeployed" + why));
        d.deployments.remove(c.name());
        d.tell(new Event.DeploymentChanged(c.name(), before, null));
        d.record(What.DEPLOYMENT, c.name(), "version " + before.version(), "", Fence.NONE, "undeployed" + why);
        return d.ok();
    }
}
