package io.weir.cluster.state.singletons;

import io.weir.base.Fence;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Draft;
import io.weir.cluster.state.entry.Refusal;
import io.weir.cluster.state.leases.LeaseRules;
import io.weir.cluster.state.leases.LeaseState;
import io.weir.cluster.state.leases.Leases;
import io.weir.cluster.state.members.MemberRules;
import io.weir.cluster.state.members.MemberState;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The rules of planned moves: operators' commands and fail-back. Pure except for their changes to the draft; confined
 * to the application of one entry.
 */
public final class PlannedMoves {
    private final Draft draft;
    private final SingletonTable singletons;
    private final MemberRules members;
    private final LeaseRules leases;

    PlannedMoves(Draft draft, SingletonTable singletons, MemberRules members, LeaseRules leases) {
        this.draft = draft;
        this.singletons = singletons;
        this.members = members;
        this.leases = leases;
    }

    Answer migrate(SingletonCommand.Migrate c) {
        SingletonState s = singletons.get(c.name());
        if (s == null) {
            return Draft.unknown("singleton", c.name());
        }
        if (s.phase() == Phase.PAUSED) {
            return Draft.refused(Refusal.PAUSED, c.name() + " is paused: resume it first");
        }
        String to = c.to() == null ? elsewhere(s) : c.to();
        if (to == null) {
            return Draft.refused(Refusal.MEMBER_DOWN, "no other candidate of " + c.name() + " is up");
        }
        Answer refusal = moveRefused(s, to);
        if (refusal != null) {
            return refusal;
        }
        String reason = Draft.why("migrated", c.reason());
        SingletonState moved = s.fresh().movedAway(c.holds() ? holding(s) : Fence.NONE);
        singletons.change(s, moved.placed(to, members.incarnation(to), reason));
        return draft.ok();
    }

    /**
     * The fence of the preferred server's current member lease: no fail-back takes place until that lease has ended;
     * NONE if it is not held.
     */
    private Fence holding(SingletonState s) {
        String preferred = s.spec().preferred();
        LeaseState life = preferred == null ? null : leases.get(Leases.ofMember(preferred));
        return life == null || life.free() ? Fence.NONE : life.fence();
    }

    /**
     * Whether an operator moved it elsewhere while its preferred server was up, and that has been up without
     * interruption since.
     *
     * @param leases all leases, by name
     */
    public static boolean holds(Map<String, LeaseState> leases, SingletonState s) {
        String preferred = s.spec().preferred();
        LeaseState life = preferred == null ? null : leases.get(Leases.ofMember(preferred));
        return life != null && !life.free() && life.fence().equals(s.movedAway());
    }

    private @Nullable String elsewhere(SingletonState s) {
        SingletonState avoiding = s.fresh();
        if (s.member() != null) {
            var tried = new TreeSet<String>();
            tried.add(s.member());
            avoiding = s.remembering(null, tried, 0, 0);
        }
        return singletons.choose(avoiding, null).member();
    }

    private @Nullable Answer moveRefused(SingletonState s, String to) {
        MemberState m = members.get(to);
        if (m == null) {
            return Draft.unknown("member", to);
        }
        if (!s.spec().mayRunOn(to) || m.witness()) {
            return Draft.refused(Refusal.NOT_CANDIDATE, to + " is no candidate of " + s.name());
        }
        if (to.equals(s.member())) {
            return Draft.refused(Refusal.ALREADY_THERE, s.name() + " is " + s.place() + " already");
        }
        return members.liveness().eligible(to) ? null : Draft.refused(Refusal.MEMBER_DOWN, down(m));
    }

    private String down(MemberState m) {
        if (m.leaving()) {
            return m.name() + " shuts down";
        }
        return members.liveness().alive(m.name())
                ? m.name() + " has not renewed its lease since the log's leader took over"
                : m.name() + " is not alive";
    }

    Answer pause(SingletonCommand.Pause c) {
        SingletonState s = singletons.get(c.name());
        if (s == null) {
            return Draft.unknown("singleton", c.name());
        }
        if (s.phase() != Phase.PAUSED) {
            String reason = Draft.why("paused", c.reason());
            singletons.change(s, s.nowhere(Phase.PAUSED, reason));
        }
        return draft.ok();
    }

    Answer resume(SingletonCommand.Resume c) {
        SingletonState s = singletons.get(c.name());
        if (s == null) {
            return Draft.unknown("singleton", c.name());
        }
        if (s.phase() == Phase.PAUSED || s.phase() == Phase.FAILED || s.phase() == Phase.WAITING) {
            String reason = Draft.why("resumed", c.reason());
            singletons.place(s.fresh(), reason, null);
        }
        return draft.ok();
    }

    Answer failBack(SingletonCommand.FailBack c) {
        SingletonState s = singletons.get(c.name());
        Answer refusal = SingletonTable.unlessAt(s, c.name(), c.version(), Phase.ACTIVE);
        if (s == null || refusal != null) {
            return refusal == null ? Draft.unknown("singleton", c.name()) : refusal;
        }
        String preferred = s.spec().preferred();
        if (preferred == null) {
            return Draft.refused(Refusal.NOT_CANDIDATE, c.name() + " has no preferred server");
        }
        if (!holdsItsLease(preferred, c.preferred())) {
            return Draft.refused(Refusal.CHANGED, preferred + " was down in between");
        }
        refusal = moveRefused(s, preferred);
        if (refusal != null) {
            return refusal;
        }
        if (failedThere(s, preferred)) {
            return Draft.refused(
                    Refusal.BUSY, s.name() + " failed on " + preferred + ", which was not restarted since");
        }
        if (holds(leases.view(), s)) {
            return Draft.refused(
                    Refusal.BUSY, "an operator moved " + s.name() + ", and " + preferred + " has been up since");
        }
        back(s, preferred);
        return draft.ok();
    }

    /** Whether the member still holds the member lease that the proposer saw. */
    private boolean holdsItsLease(String member, Fence fence) {
        LeaseState life = leases.get(Leases.ofMember(member));
        return life != null && life.current(fence);
    }

    private boolean failedThere(SingletonState s, String preferred) {
        MemberState m = members.get(preferred);
        return m == null || m.incarnation() == s.preferredFailure();
    }

    private void back(SingletonState s, String preferred) {
        String reason = "back to its preferred server " + preferred;
        singletons.change(s, s.placed(preferred, members.incarnation(preferred), reason));
    }

    /** Fails back immediately if configured and nothing prevents it. */
    void failBackAtOnce(String name) {
        SingletonState s = singletons.get(name);
        if (s == null || s.phase() != Phase.ACTIVE || s.spec().failBack() != FailBackMode.IMMEDIATE) {
            return;
        }
        String preferred = s.spec().preferred();
        if (preferred != null
                && moveRefused(s, preferred) == null
                && !failedThere(s, preferred)
                && !holds(leases.view(), s)) {
            back(s, preferred);
        }
    }
}
