package io.weir.cluster.state.timers;

import io.weir.base.Fence;
import io.weir.cluster.state.bytes.StateLimits;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Draft;
import io.weir.cluster.state.entry.DraftTable;
import io.weir.cluster.state.entry.Refusal;
import io.weir.cluster.state.entry.Transition.What;
import io.weir.cluster.state.leases.LeaseRules;
import io.weir.cluster.state.leases.Leases;
import io.weir.cluster.state.members.MemberRules;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The rules of cluster-wide timers. Pure except for their changes to the draft; confined to the application of one
 * entry.
 */
public final class TimerRules {
    private final Draft draft;
    private final DraftTable<TimerState> timers;
    private final LeaseRules leases;
    private final MemberRules members;

    /** Starts from the state before the entry. */
    public TimerRules(Draft draft, SortedMap<String, TimerState> before, LeaseRules leases, MemberRules members) {
        this.draft = draft;
        this.timers = new DraftTable<>(before);
        this.leases = leases;
        this.members = members;
    }

    /** The result for the next state. */
    public SortedMap<String, TimerState> done() {
        return timers.done();
    }

    public Answer apply(TimerCommand command) {
        return switch (command) {
            case TimerCommand.DefineTimer c -> define(c);
            case TimerCommand.RemoveTimer c -> remove(c.id(), "gone from the configuration");
            case TimerCommand.ForgetTimer c -> forget(c);
            case TimerCommand.PauseTimer c -> pause(c.id(), true, c.reason());
            case TimerCommand.ResumeTimer c -> pause(c.id(), false, c.reason());
            case TimerCommand.FireNow c -> fireNow(c);
            case TimerCommand.Fire c -> fire(c);
            case TimerCommand.FireDone c -> fireDone(c);
            case TimerCommand.Skip c -> skip(c);
        };
    }

    private Answer define(TimerCommand.DefineTimer c) {
        TimerState t = timers.get(c.spec().id());
        if (t == null) {
            if (timers.size() >= StateLimits.TIMERS) {
                return Draft.full("timers", StateLimits.TIMERS);
            }
            change(
                    null,
                    new TimerState(
                            c.spec(),
                            c.fromMillis(),
                            c.fromMillis(),
                            Fence.NONE,
                            true,
                            "",
                            0,
                            0,
                            Fence.NONE,
                            false,
                            false,
                            0,
                            0));
            line(c.spec().id(), "defined", c.spec().schedule());
        } else if (!t.spec().equals(c.spec())) {
            change(t, redefined(t, c));
            line(c.spec().id(), "redefined", c.spec().schedule());
        }
        return draft.ok();
    }

    /** A changed schedule restarts, but never before the last firing. */
    private static TimerState redefined(TimerState t, TimerCommand.DefineTimer c) {
        boolean sameTimes = t.spec().schedule().equals(c.spec().schedule())
                && t.spec().zone().equals(c.spec().zone());
        TimerState again = t.specified(c.spec());
        return sameTimes ? again : again.beginning(Math.max(c.fromMillis(), t.lastScheduled()));
    }

    private Answer remove(String id, String reason) {
        TimerState t = timers.get(id);
        if (t != null) {
            timers.remove(id);
            draft.emit(new TimerEvent.Changed(id, t, null));
            line(id, "removed", reason);
        }
        return draft.ok();
    }

    private Answer forget(TimerCommand.ForgetTimer c) {
        if (timers.get(c.id()) == null) {
            return Draft.unknown("timer", c.id());
        }
        Answer refusal = members.configured().refusal(c.id(), k -> k.timers().contains(c.id()));
        return refusal != null ? refusal : remove(c.id(), Draft.why("forgotten", c.reason()));
    }

    private Answer pause(String id, boolean paused, String reason) {
        TimerState t = timers.get(id);
        if (t == null) {
            return Draft.unknown("timer", id);
        }
        if (t.paused() != paused) {
            change(t, t.pausing(paused));
            line(id, paused ? "paused" : "resumed", reason);
        }
        return draft.ok();
    }

    private Answer fireNow(TimerCommand.FireNow c) {
        TimerState t = timers.get(c.id());
        if (t == null) {
            return Draft.unknown("timer", c.id());
        }
        if (t.requestOpen()) {
            return Draft.refused(Refusal.BUSY, c.id() + " already has a requested firing that is not done");
        }
        long number = c.number() == 0 ? draft.index() : c.number();
        // Two requests in one millisecond must have different times for the receiver.
        long at = c.atMillis() == t.requestedAt() ? c.atMillis() + 1 : c.atMillis();
        change(t, t.requesting(number, at, Fence.NONE));
        line(c.id(), "fire requested", c.reason());
        return draft.ok();
    }

    private Answer fire(TimerCommand.Fire c) {
        TimerState t = timers.get(c.id());
        Answer refusal = leases.fenced(Leases.TIMERS, c.fence(), "firing " + c.id());
        if (refusal != null || t == null) {
            return refusal != null ? refusal : Draft.unknown("timer", c.id());
        }
        refusal = c.requested() ? requestRefused(t, c) : occasionRefused(t, c);
        if (refusal != null) {
            return refusal;
        }
        TimerState after = c.requested()
                ? t.requesting(t.requested(), t.requestedAt(), c.fence()).counted()
                : t.fired(c.scheduledMillis(), c.fence()).counted();
        change(t, after);
        long time = c.requested() ? t.requestedAt() : c.scheduledMillis();
        draft.emit(new TimerEvent.Fired(c.id(), time, c.fence(), c.requested()));
        return draft.ok();
    }

    private static @Nullable Answer requestRefused(TimerState t, TimerCommand.Fire c) {
        boolean requested = t.requestOpen() && t.requested() == c.scheduledMillis();
        return requested && c.fence().compareTo(t.requestedFence()) > 0
                ? null
                : Draft.refused(
                        Refusal.CHANGED, c.id() + " already fired for that request, or there is no such" + " request");
    }

    private static @Nullable Answer occasionRefused(TimerState t, TimerCommand.Fire c) {
        boolean repeated = !t.done() && c.scheduledMillis() == t.lastScheduled();
        if (repeated && c.fence().compareTo(t.lastFence()) > 0) {
            return null;
        }
        if (repeated || c.scheduledMillis() <= t.lastScheduled()) {
            return Draft.refused(Refusal.CHANGED, c.id() + " fired for " + t.lastScheduled() + " already");
        }
        if (!t.done()) {
            return Draft.refused(
                    Refusal.BUSY, "the firing of " + c.id() + " for " + t.lastScheduled() + " is not done");
        }
        return t.paused() ? Draft.refused(Refusal.PAUSED, c.id() + " is paused") : null;
    }

    private Answer fireDone(TimerCommand.FireDone c) {
        TimerState t = timers.get(c.id());
        Answer refusal = leases.fenced(Leases.TIMERS, c.fence(), "end of firing " + c.id());
        if (refusal != null || t == null) {
            return refusal != null ? refusal : Draft.unknown("timer", c.id());
        }
        boolean matches = c.requested()
                ? t.requested() == c.scheduledMillis() && t.requestedFence().equals(c.fence())
                : t.lastScheduled() == c.scheduledMillis() && t.lastFence().equals(c.fence());
        if (!matches) {
            return Draft.refused(Refusal.CHANGED, "the last firing of " + c.id() + " is another");
        }
        if (c.requested() ? !t.requestOpen() : t.done()) {
            return draft.ok();
        }
        change(t, c.requested() ? t.requestDone(c.failure()) : t.finished(c.failure()));
        if (!c.failure().isEmpty() && !c.failure().equals(t.lastFailure())) {
            // one line per cause: a timer that fails every second must not fill the history
            draft.record(What.TIMER, c.id(), "", "failed", c.fence(), c.failure());
        }
        return draft.ok();
    }

    private Answer skip(TimerCommand.Skip c) {
        TimerState t = timers.get(c.id());
        Answer refusal = leases.fenced(Leases.TIMERS, c.fence(), "skipping firings of " + c.id());
        if (refusal != null || t == null) {
            return refusal != null ? refusal : Draft.unknown("timer", c.id());
        }
        if (!t.done()) {
            return Draft.refused(
                    Refusal.BUSY, "the firing of " + c.id() + " for " + t.lastScheduled() + " is not done");
        }
        if (c.throughMillis() > t.lastScheduled()) {
            change(t, t.skipped(c.throughMillis()));
        }
        return draft.ok();
    }

    private void change(@Nullable TimerState before, TimerState next) {
        TimerState after = next.versioned(draft.index());
        timers.put(after.id(), after);
        draft.emit(new TimerEvent.Changed(after.id(), before, after));
    }

    private void line(String id, String to, String reason) {
        draft.record(What.TIMER, id, "", to, Fence.NONE, reason);
    }
}
