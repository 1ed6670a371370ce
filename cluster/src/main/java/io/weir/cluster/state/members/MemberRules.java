package io.weir.cluster.state.members;

import io.weir.base.Fence;
import io.weir.cluster.state.bytes.StateLimits;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Draft;
import io.weir.cluster.state.entry.DraftTable;
import io.weir.cluster.state.entry.Refusal;
import io.weir.cluster.state.entry.Transition.What;
import io.weir.cluster.state.leases.LeaseRules;
import io.weir.cluster.state.leases.LeaseState;
import io.weir.cluster.state.leases.Leases;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The rules of joining, leaving, and liveness. Consequences for other rules go through {@link MemberUses}. Pure except
 * for their changes to the draft; confined to the application of one entry.
 */
public final class MemberRules {
    private final Draft draft;
    private final DraftTable<MemberState> members;
    private final DraftTable<Configuration> configurations;
    private final LeaseRules leases;
    private final MemberUses uses;
    private long tookOver;
    private BootDelay boot;

    /**
     * Starts from the state before the entry.
     *
     * @param tookOver index at which the log's leader took over
     * @param boot whether placement waits for members to join
     */
    public MemberRules(
            Draft draft,
            SortedMap<String, MemberState> members,
            SortedMap<String, Configuration> configurations,
            long tookOver,
            BootDelay boot,
            LeaseRules leases,
            MemberUses uses) {
        this.draft = draft;
        this.members = new DraftTable<>(members);
        this.configurations = new DraftTable<>(configurations);
        this.tookOver = tookOver;
        this.boot = boot;
        this.leases = leases;
        this.uses = uses;
    }

    public Answer apply(MemberCommand command) {
        return switch (command) {
            case MemberCommand.Join c -> join(c);
            case MemberCommand.Leave c -> leave(c);
            case MemberCommand.Remove c -> remove(c);
            case MemberCommand.TookOver c -> tookOver(c);
            case MemberCommand.BootDelayOver c -> bootDelayOver(c);
            case MemberCommand.RaiseEpoch c -> leases.raise(c.epoch());
            case MemberCommand.Configures c -> configures(c);
        };
    }

    /** Whether there is a member of that name. */
    public boolean known(String member) {
        return members.get(member) != null;
    }

    private Answer join(MemberCommand.Join c) {
        MemberState before = members.get(c.member());
        Answer refusal = joinRefused(c, before);
        if (refusal != null) {
            return refusal;
        }
        if (before != null && before.incarnation() == c.incarnation()) {
            return draft.ok();
        }
        MemberState now = new MemberState(
                c.member(), c.incarnation(), c.storage(), c.address(), c.witness(), draft.index(), false);
        members.put(c.member(), now);
        draft.emit(new MemberEvent.Changed(c.member(), before, now));
        draft.record(What.MEMBER, c.member(), "", "joined", Fence.NONE, "its server started at " + c.address());
        if (before != null && before.storage().equals(c.storage())) {
            leases.endAll(c.member(), before.incarnation(), c.member() + " restarted");
        }
        uses.joined(c.member());
        return draft.ok();
    }

    private @Nullable Answer joinRefused(MemberCommand.Join c, @Nullable MemberState before) {
        if (before == null) {
            return members.size() < StateLimits.MEMBERS ? null : Draft.full("members", StateLimits.MEMBERS);
        }
        boolean another =
                before.incarnation() != c.incarnation() && !before.storage().equals(c.storage());
        if (another && leases.owner(Leases.ofMember(c.member())) != null) {
            return Draft.refused(
                    Refusal.NAME_TAKEN,
                    "a server with another data directory is member " + c.member() + ", at " + before.address()
                            + ": stop it, or wait until its lease has ended, or give this one a unique name");
        }
        return null;
    }

    private Answer leave(MemberCommand.Leave c) {
        MemberState m = members.get(c.member());
        Answer refusal = refused(c.member(), c.incarnation());
        if (m == null || refusal != null) {
            return refusal == null ? Draft.unknown("member", c.member()) : refusal;
        }
        if (!m.leaving()) {
            MemberState now = m.leavingNow();
            members.put(m.name(), now);
            draft.emit(new MemberEvent.Changed(m.name(), m, now));
            LeaseState life = leases.get(Leases.ofMember(m.name()));
            boolean alive = life != null && life.heldBy(m.name(), m.incarnation());
            Fence fence = life != null && alive ? life.fence() : Fence.NONE;
            draft.record(What.MEMBER, m.name(), alive ? "alive" : "", "leaving", fence, "it shuts down in order");
            uses.leaving(m.name(), m.name() + " shuts down");
        }
        return draft.ok();
    }

    private Answer remove(MemberCommand.Remove c) {
        MemberState m = members.get(c.member());
        if (m == null) {
            return draft.ok();
        }
        if (liveness().alive(c.member())) {
            return Draft.refused(Refusal.MEMBER_UP, c.member() + " is alive: shut it down first, then remove it");
        }
        members.remove(c.member());
        draft.emit(new MemberEvent.Changed(c.member(), m, null));
        configurations.remove(c.member());
        draft.record(
                What.MEMBER, c.member(), "", "removed", Fence.NONE, Draft.why("an operator removed it", c.reason()));
        uses.removed(c.member());
        return draft.ok();
    }

    private Answer configures(MemberCommand.Configures c) {
        Answer refusal = refused(c.member(), c.incarnation());
        if (refusal != null) {
            return refusal;
        }
        configurations.put(c.member(), new Configuration(c.member(), c.incarnation(), c.singletons(), c.timers()));
        return draft.ok();
    }

    private Answer tookOver(MemberCommand.TookOver c) {
        tookOver = draft.index();
        draft.record(What.CLUSTER, "leader", "", c.member(), Fence.NONE, "leads the log in term " + c.term());
        if (c.booting()) {
            boot = new BootDelay(true, draft.index());
            draft.emit(new MemberEvent.BootDelayChanged(boot));
        }
        return draft.ok();
    }

    private Answer bootDelayOver(MemberCommand.BootDelayOver c) {
        if (!boot.pending()) {
            return draft.ok();
        }
        if (boot.version() != c.version()) {
            return Draft.refused(Refusal.CHANGED, "the delay of now began at " + boot.version());
        }
        placementBegins("the initial boot delay is over");
        return draft.ok();
    }

    private void placementBegins(String reason) {
        boot = new BootDelay(false, boot.version());
        draft.emit(new MemberEvent.BootDelayChanged(boot));
        draft.record(What.CLUSTER, "placement", "", "begins", Fence.NONE, reason);
        uses.placementBegins();
    }

    /** The member's lease was acquired. */
    public void alive(String member, Fence fence) {
        draft.record(What.MEMBER, member, "", "alive", fence, "it acquired its lease");
        if (liveness().eligible(member)) {
            uses.arrived(member);
        }
    }

    /**
     * The member's lease was renewed. A member that had renewed it before the log's leader took over shows that the
     * cluster was running; one that had only acquired it does not, because at a start of the whole cluster members may
     * be faster than the leader.
     *
     * @param life the member lease before the renewal
     */
    public void renewed(String member, LeaseState life) {
        long before = life.renewal();
        MemberState m = members.get(member);
        boolean lived = before > life.fence().counter() && before < boot.version();
        if (m != null && boot.pending() && m.joined() < boot.version() && lived) {
            placementBegins(member + " was there before the log's leader: the cluster was running");
        } else if (before < tookOver && liveness().eligible(member)) {
            uses.arrived(member);
        }
    }

    /** The member's lease ended. */
    public void gone(String member, Fence fence, String reason) {
        MemberState m = members.get(member);
        draft.record(What.MEMBER, member, m != null && m.leaving() ? "leaving" : "alive", "gone", fence, reason);
        uses.gone(member, reason);
    }

    /** Why this incarnation cannot own leases; null if it can. */
    public @Nullable Answer refused(String member, long incarnation) {
        MemberState m = members.get(member);
        if (m == null) {
            return Draft.unknown("member", member);
        }
        return m.incarnation() == incarnation ? null : stale(m);
    }

    private static Answer stale(MemberState m) {
        return Draft.refused(
                Refusal.STALE_INCARNATION, m.name() + " restarted since, as " + Long.toHexString(m.incarnation()));
    }

    public @Nullable MemberState get(String member) {
        return members.get(member);
    }

    /** The current incarnation; 0 for an unknown member. */
    public long incarnation(String member) {
        MemberState m = members.get(member);
        return m == null ? 0 : m.incarnation();
    }

    /** The current liveness; must not be used after the next change. */
    public Liveness liveness() {
        return new Liveness(members.view(), leases.view(), tookOver);
    }

    /** The rules of removal with the members' current configurations. */
    public ConfigurationRules configured() {
        return new ConfigurationRules(liveness(), configurations.view());
    }

    public long tookOver() {
        return tookOver;
    }

    /** Whether placement waits for members to join. */
    public BootDelay boot() {
        return boot;
    }

    /** For the next state. */
    public SortedMap<String, MemberState> done() {
        return members.done();
    }

    /** For the next state. */
    public SortedMap<String, Configuration> configurationsDone() {
        return configurations.done();
    }
}
