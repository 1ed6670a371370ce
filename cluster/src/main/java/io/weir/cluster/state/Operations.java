package io.weir.cluster.state;

import io.weir.base.Fence;
import org.jspecify.annotations.Nullable;

/** The rules of planned moves: operators' commands and fail-back. Pure but for the draft that they change. */
final class Operations {
    private Operations() {}

    static Answer migrate(Draft d, SingletonCommand.Migrate c) {
        SingletonState s = d.singletons.get(c.name());
        if (s == null) {
            return Draft.unknown("singleton", c.name());
        }
        if (s.phase() == Phase.PAUSED) {
            return Draft.refused(Refusal.PAUSED, c.name() + " is paused: resume it first");
        }
        String to = c.to() == null ? elsewhere(d, s) : c.to();
        if (to == null) {
            return Draft.refused(Refusal.MEMBER_DOWN, "no other candidate of " + c.name() + " is up");
        }
        Answer refusal = moveRefused(d, s, to);
        if (refusal != null) {
            return refusal;
        }
        MemberState m = d.members.get(to);
        String reason = "migrated" + (c.reason().isEmpty() ? "" : ": " + c.reason());
        SingletonState moved = s.fresh().movedAway(c.holds() ? holding(d, s) : Fence.NONE);
        Singletons.change(d, s, moved.placed(to, m == null ? 0 : m.incarnation(), reason));
        return d.ok();
    }

    /** What the preferred server is to lose before a fail-back goes there again: its own lease as it is now, if it has one. */
    private static Fence holding(Draft d, SingletonState s) {
        String preferred = s.spec().preferred();
        LeaseState life = preferred == null ? null : d.leases.get(Leases.ofMember(preferred));
        return life == null || life.free() ? Fence.NONE : life.fence();
    }

    /** Whether an operator moved it elsewhere while its preferred server was there, and that was there without a break since. */
    static boolean holds(ClusterState state, SingletonState s) {
        String preferred = s.spec().preferred();
        LeaseState life = preferred == null ? null : state.lease(Leases.ofMember(preferred));
        return life != null && !life.free() && life.fence().equals(s.movedAway());
    }

    private static @Nullable String elsewhere(Draft d, SingletonState s) {
        SingletonState avoiding = s.fresh();
        if (s.member() != null) {
            var tried = new java.util.TreeSet<String>();
            tried.add(s.member());
            avoiding = s.remembering(null, tried, 0, 0);
        }
        return Placement.choose(d.peek(), avoiding, null).member();
    }

    private static @Nullable Answer moveRefused(Draft d, SingletonState s, String to) {
        MemberState m = d.members.get(to);
        if (m == null) {
            return Draft.unknown("member", to);
        }
        if (!s.spec().mayRunOn(to) || m.witness()) {
            return Draft.refused(Refusal.NOT_CANDIDATE, to + " is no candidate of " + s.name());
        }
        if (to.equals(s.member())) {
            return Draft.refused(Refusal.ALREADY_THERE, s.name() + " is " + Singletons.place(s) + " already");
        }
        return d.peek().eligible(to) ? null : Draft.refused(Refusal.MEMBER_DOWN, down(d, m));
    }

    private static String down(Draft d, MemberState m) {
        if (m.leaving()) {
            return m.name() + " shuts down";
        }
        return d.peek().alive(m.name())
                ? m.name() + " has not renewed its lease since the log's leader took over"
                : m.name() + " is not alive";
    }

    static Answer pause(Draft d, SingletonCommand.Pause c) {
        SingletonState s = d.singletons.get(c.name());
        if (s == null) {
            return Draft.unknown("singleton", c.name());
        }
        if (s.phase() != Phase.PAUSED) {
            String reason = "paused" + (c.reason().isEmpty() ? "" : ": " + c.reason());
            Singletons.change(d, s, s.nowhere(Phase.PAUSED, reason));
        }
        return d.ok();
    }

    static Answer resume(Draft d, SingletonCommand.Resume c) {
        SingletonState s = d.singletons.get(c.name());
        if (s == null) {
            return Draft.unknown("singleton", c.name());
        }
        if (s.phase() == Phase.PAUSED || s.phase() == Phase.FAILED || s.phase() == Phase.WAITING) {
            String reason = "resumed" + (c.reason().isEmpty() ? "" : ": " + c.reason());
            Singletons.place(d, s.fresh(), reason, null);
        }
        return d.ok();
    }

    static Answer failBack(Draft d, SingletonCommand.FailBack c) {
        SingletonState s = d.singletons.get(c.name());
        Answer refusal = Singletons.unlessAt(s, c.name(), c.version(), Phase.ACTIVE);
        if (s == null || refusal != null) {
            return refusal == null ? Draft.unknown("singleton", c.name()) : refusal;
        }
        String preferred = s.spec().preferred();
        if (preferred == null) {
            return Draft.refused(Refusal.NOT_CANDIDATE, c.name() + " has no preferred server");
        }
        if (!d.peek().current(Leases.ofMember(preferred), c.preferred())) {
            return Draft.refused(Refusal.CHANGED, preferred + " was away meanwhile");
        }
        refusal = moveRefused(d, s, preferred);
        if (refusal != null) {
            return refusal;
        }
        if (failedThere(d, s, preferred)) {
            return Draft.refused(
                    Refusal.BUSY, s.name() + " failed on " + preferred + ", which was not restarted since");
        }
        if (holds(d.peek(), s)) {
            return Draft.refused(
                    Refusal.BUSY, "an operator moved " + s.name() + ", and " + preferred + " was there since");
        }
        back(d, s, preferred);
        return d.ok();
    }

    private static boolean failedThere(Draft d, SingletonState s, String preferred) {
        MemberState m = d.members.get(preferred);
        return m == null || m.incarnation() == s.preferredFailure();
    }

    private static void back(Draft d, SingletonState s, String preferred) {
        MemberState m = d.members.get(preferred);
        String reason = "back to its preferred server " + preferred;
        Singletons.change(d, s, s.placed(preferred, m == null ? 0 : m.incarnation(), reason));
    }

    /** Goes back at once when that is asked for and nothing speaks against it. */
    static void failBackAtOnce(Draft d, String name) {
        SingletonState s = d.singletons.get(name);
        if (s == null || s.phase() != Phase.ACTIVE || s.spec().failBack() != FailBackMode.IMMEDIATE) {
            return;
        }
        String preferred = s.spec().preferred();
        if (preferred != null
                && moveRefused(d, s, preferred) == null
                && !failedThere(d, s, preferred)
                && !holds(d.peek(), s)) {
            back(d, s, preferred);
        }
    }
}
