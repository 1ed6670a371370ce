package io.weir.cluster.state.deployments;

import io.weir.base.Fence;
import io.weir.cluster.state.bytes.StateLimits;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Draft;
import io.weir.cluster.state.entry.DraftTable;
import io.weir.cluster.state.entry.Refusal;
import io.weir.cluster.state.entry.Transition.What;
import io.weir.cluster.state.members.MemberRules;
import io.weir.cluster.state.singletons.Phase;
import io.weir.cluster.state.singletons.SingletonDefinitions;
import io.weir.cluster.state.singletons.SingletonSpec;
import io.weir.cluster.state.singletons.SingletonState;
import io.weir.cluster.state.singletons.SingletonTable;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The rules of deployments. Pure except for their changes to the draft; confined to the application of one entry. */
public final class DeploymentRules {
    private final Draft draft;
    private final DraftTable<Deployment> deployments;
    private final SingletonTable singletons;
    private final SingletonDefinitions definitions;
    private final MemberRules members;

    /** Starts from the state before the entry. */
    public DeploymentRules(
            Draft draft,
            SortedMap<String, Deployment> before,
            SingletonTable singletons,
            SingletonDefinitions definitions,
            MemberRules members) {
        this.draft = draft;
        this.deployments = new DraftTable<>(before);
        this.singletons = singletons;
        this.definitions = definitions;
        this.members = members;
    }

    /** The result for the next state. */
    public SortedMap<String, Deployment> done() {
        return deployments.done();
    }

    public Answer apply(DeploymentCommand command) {
        return switch (command) {
            case DeploymentCommand.Deploy c -> deploy(c);
            case DeploymentCommand.Fetched c -> fetched(c);
            case DeploymentCommand.Undeploy c -> undeploy(c);
        };
    }

    private Answer deploy(DeploymentCommand.Deploy c) {
        Deployment before = deployments.get(c.name());
        Answer refusal = refused(c, before);
        if (refusal != null) {
            return refusal;
        }
        if (before != null && before.sha256().equals(c.sha256()) && same(c)) {
            if (!c.reason().isEmpty()) {
                String there = "version " + before.version();
                draft.record(
                        What.DEPLOYMENT,
                        c.name(),
                        there,
                        there,
                        Fence.NONE,
                        "deployed again, nothing changed: " + c.reason());
            }
            return addSource(before, c.source());
        }
        Deployment now =
                new Deployment(c.name(), c.sha256(), c.size(), draft.index(), new TreeSet<>(Set.of(c.source())));
        deployments.put(c.name(), now);
        draft.emit(new DeploymentChanged(c.name(), before, now));
        String was = before == null ? "" : "version " + before.version();
        String what = before == null ? "deployed" : "redeployed";
        String why = Draft.why(what + ", " + c.sha256(), c.reason());
        draft.record(What.DEPLOYMENT, c.name(), was, "version " + draft.index(), Fence.NONE, why);
        for (SingletonState s : of(c.name())) {
            if (c.singletons().stream().noneMatch(n -> n.name().equals(s.name()))) {
                definitions.undefine(s.name(), "not in the new version of " + c.name());
            }
        }
        c.singletons().forEach(spec -> defined(spec, what));
        return draft.ok();
    }

    private void defined(SingletonSpec spec, String what) {
        SingletonState before = singletons.get(spec.name());
        if (before != null && before.spec().equals(spec)) {
            definitions.renew(before, spec.deployment() + " was " + what);
        } else if (before != null && spec.enabled() && before.phase() != Phase.PAUSED) {
            singletons.place(before.specified(spec).fresh(), spec.deployment() + " was " + what, before.member());
        } else if (before != null) {
            definitions.redefine(before, spec);
        } else {
            definitions.define(spec);
        }
    }

    private @Nullable Answer refused(DeploymentCommand.Deploy c, @Nullable Deployment before) {
        if (before == null && deployments.size() >= StateLimits.DEPLOYMENTS) {
            return Draft.full("deployments", StateLimits.DEPLOYMENTS);
        }
        int fresh = 0;
        Set<String> names = new TreeSet<>();
        for (SingletonSpec spec : c.singletons()) {
            SingletonState there = singletons.get(spec.name());
            fresh += there == null ? 1 : 0;
            if (!c.name().equals(spec.deployment()) || !names.add(spec.name())) {
                return Draft.refused(Refusal.MALFORMED, spec.name() + " is named twice, or not of " + c.name());
            }
            if (there != null
                    && !c.name().equals(there.spec().deployment())
                    && !SingletonDefinitions.takesOver(spec, there.spec())) {
                return SingletonDefinitions.taken(there);
            }
        }
        return singletons.size() + fresh > StateLimits.SINGLETONS
                ? Draft.full("singletons", StateLimits.SINGLETONS)
                : null;
    }

    private boolean same(DeploymentCommand.Deploy c) {
        Set<SingletonSpec> there =
                of(c.name()).stream().map(SingletonState::spec).collect(Collectors.toSet());
        return there.equals(Set.copyOf(c.singletons()));
    }

    private List<SingletonState> of(String deployment) {
        return singletons.view().values().stream()
                .filter(s -> deployment.equals(s.spec().deployment()))
                .toList();
    }

    private Answer fetched(DeploymentCommand.Fetched c) {
        Deployment before = deployments.get(c.name());
        if (before == null) {
            return Draft.unknown("deployment", c.name());
        }
        if (before.version() != c.version()) {
            return Draft.refused(Refusal.CHANGED, c.name() + " has version " + before.version() + " by now");
        }
        return members.get(c.member()) == null ? Draft.unknown("member", c.member()) : addSource(before, c.member());
    }

    private Answer addSource(Deployment before, String member) {
        SortedSet<String> sources = new TreeSet<>(before.sources());
        if (sources.add(member)) {
            put(before, sources);
        }
        return draft.ok();
    }

    /** The member was removed: it is no longer a source. */
    public void withoutSource(String member) {
        for (Deployment before : List.copyOf(deployments.view().values())) {
            SortedSet<String> sources = new TreeSet<>(before.sources());
            if (sources.remove(member)) {
                put(before, sources);
            }
        }
    }

    private void put(Deployment before, SortedSet<String> sources) {
        Deployment now = new Deployment(before.name(), before.sha256(), before.size(), before.version(), sources);
        deployments.put(before.name(), now);
        draft.emit(new DeploymentChanged(before.name(), before, now));
    }

    private Answer undeploy(DeploymentCommand.Undeploy c) {
        Deployment before = deployments.get(c.name());
        if (before == null) {
            return draft.ok();
        }
        of(c.name()).forEach(s -> definitions.undefine(s.name(), Draft.why(c.name() + " was undeployed", c.reason())));
        deployments.remove(c.name());
        draft.emit(new DeploymentChanged(c.name(), before, null));
        draft.record(
                What.DEPLOYMENT,
                c.name(),
                "version " + before.version(),
                "",
                Fence.NONE,
                Draft.why("undeployed", c.reason()));
        return draft.ok();
    }
}
