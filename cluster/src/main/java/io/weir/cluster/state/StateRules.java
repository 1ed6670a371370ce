package io.weir.cluster.state;

import io.weir.cluster.state.deployments.DeploymentRules;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Draft;
import io.weir.cluster.state.leases.LeaseRules;
import io.weir.cluster.state.leases.LeaseState;
import io.weir.cluster.state.leases.LeaseUses;
import io.weir.cluster.state.leases.Leases;
import io.weir.cluster.state.members.MemberRules;
import io.weir.cluster.state.members.MemberUses;
import io.weir.cluster.state.naming.NamingRules;
import io.weir.cluster.state.purges.PurgeRules;
import io.weir.cluster.state.singletons.CheckpointRules;
import io.weir.cluster.state.singletons.SingletonDefinitions;
import io.weir.cluster.state.singletons.SingletonRules;
import io.weir.cluster.state.singletons.SingletonTable;
import io.weir.cluster.state.timers.TimerRules;
import org.jspecify.annotations.Nullable;

/**
 * Connects the rules of all subjects for one entry: the consequences of a lease's end for members, singletons and
 * names, and of membership changes for singletons and deployments. Confined to the application of one entry.
 */
final class StateRules {
    private final ClusterState before;
    private final Draft draft;
    private final LeaseRules leases;
    private final MemberRules members;
    private final SingletonTable singletonTable;
    private final CheckpointRules checkpoints;
    private final SingletonRules singletons;
    private final NamingRules naming;
    private final TimerRules timers;
    private final DeploymentRules deployments;
    private final PurgeRules purges;

    StateRules(ClusterState before, Draft draft) {
        this.before = before;
        this.draft = draft;
        leases =
                new LeaseRules(draft, before.leases(), before.epoch(), before.fenceRefusals(), new LeaseConsequences());
        members = new MemberRules(
                draft,
                before.members(),
                before.configurations(),
                before.tookOver(),
                before.boot(),
                leases,
                new MemberConsequences());
        singletonTable = new SingletonTable(draft, before.singletons(), members);
        checkpoints = new CheckpointRules(draft, before.checkpoints(), singletonTable, leases);
        SingletonDefinitions definitions = new SingletonDefinitions(draft, singletonTable, checkpoints, members);
        singletons = new SingletonRules(draft, singletonTable, definitions, members, leases);
        naming = new NamingRules(draft, before.bindings(), leases);
        timers = new TimerRules(draft, before.timers(), leases, members);
        purges = new PurgeRules(draft, before.purges(), members::known);
        deployments = new DeploymentRules(draft, before.deployments(), singletonTable, definitions, members);
    }

    LeaseRules leases() {
        return leases;
    }

    MemberRules members() {
        return members;
    }

    SingletonRules singletons() {
        return singletons;
    }

    CheckpointRules checkpoints() {
        return checkpoints;
    }

    NamingRules naming() {
        return naming;
    }

    TimerRules timers() {
        return timers;
    }

    PurgeRules purges() {
        return purges;
    }

    DeploymentRules deployments() {
        return deployments;
    }

    /** The result of the entry. */
    Applied done(Answer answer) {
        ClusterState after = new ClusterState(
                draft.index(),
                leases.epoch(),
                members.tookOver(),
                members.boot(),
                leases.fenceRefusals(),
                members.done(),
                leases.done(),
                singletonTable.done(),
                naming.done(),
                timers.done(),
                deployments.done(),
                checkpoints.done(),
                members.configurationsDone(),
                purges.done(),
                draft.history(before.history()));
        return new Applied(after, answer, draft.events());
    }

    /** Consequences of lease changes. */
    private final class LeaseConsequences implements LeaseUses {
        @Override
        public @Nullable Answer unknownOwner(String owner, long incarnation) {
            return members.refused(owner, incarnation);
        }

        @Override
        public @Nullable Answer notFor(String lease, String owner, long incarnation) {
            String singleton = Leases.singleton(lease);
            return singleton == null ? null : singletons.notPlaced(singleton, owner, incarnation);
        }

        @Override
        public void acquired(LeaseState lease) {
            String member = Leases.member(lease.name());
            String singleton = Leases.singleton(lease.name());
            if (member != null) {
                members.alive(member, lease.fence());
            } else if (singleton != null) {
                singletons.acquired(singleton, lease);
            }
        }

        @Override
        public void renewed(String member, LeaseState lease) {
            members.renewed(member, lease);
        }

        @Override
        public void ended(LeaseState lease, String reason) {
            naming.drop(lease.name());
            String member = Leases.member(lease.name());
            String singleton = Leases.singleton(lease.name());
            if (member != null) {
                members.gone(member, lease.fence(), reason);
            } else if (singleton != null) {
                singletons.leaseEnded(singleton, lease, reason);
            }
        }
    }

    /** Consequences of membership changes. */
    private final class MemberConsequences implements MemberUses {
        @Override
        public void joined(String member) {
            singletons.forgive(member);
        }

        @Override
        public void leaving(String member, String reason) {
            singletons.moveAllFrom(member, reason);
        }

        @Override
        public void removed(String member) {
            singletons.forgive(member);
            deployments.withoutSource(member);
            purges.removed(member);
        }

        @Override
        public void arrived(String member) {
            singletons.arrived(member);
        }

        @Override
        public void gone(String member, String reason) {
            singletons.departed(member, reason);
        }

        @Override
        public void placementBegins() {
            singletons.placeAll();
        }
    }
}
