package io.weir.cluster.state;

import io.weir.base.Fence;
import io.weir.cluster.state.Transition.What;
import org.jspecify.annotations.Nullable;

/** The rules of cluster-wide timers. Pure but for the draft that they change. */
final class Timers {
    private Timers() {}

    static Answer apply(Draft d, TimerCommand command) {
        return switch (command) {
            case TimerCommand.DefineTimer c -> define(d, c);
            case TimerCommand.RemoveTimer c -> remove(d, c.id(), "gone from the configuration");
            case TimerCommand.ForgetTimer c -> forget(d, c);
            case TimerCommand.PauseTimer c -> pause(d, c.id(), true, c.reason());
            case TimerCommand.ResumeTimer c -> pause(d, c.id(), false, c.reason());
            case TimerCommand.FireNow c -> fireNow(d, c);
            case TimerCommand.Fire c -> fire(d, c);
            case TimerCommand.FireDone c -> fireDone(d, c);
            case TimerCommand.Skip c -> skip(d, c);
        };
    }

    private static Answer define(Draft d, TimerCommand.DefineTimer c) {
        TimerState t = d.timers.get(c.spec().id());
        if (t == null) {
            if (d.timers.size() >= Limits.TIMERS) {
                return Draft.full("timers", Limits.TIMERS);
            }
            change(
                    d,
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
            line(d, c.spec().id(), "defined", c.spec().schedule());
        } else if (!t.spec().equals(c.spec())) {
            change(d, t, redefined(t, c));
            line(d, c.spec().id(), "defined anew", c.spec().schedule());
        }
        return d.ok();
    }

    /** Another schedule begins anew, but never before what fired already. */
    private static TimerState redefined(TimerState t, TimerCommand.DefineTimer c) {
        boolean sameTimes = t.spec().schedule().equals(c.spec().schedule())
                && t.spec().zone().equals(c.spec().zone());
        TimerState again = t.specified(c.spec());
        return sameTimes ? again : again.beginning(Math.max(c.fromMillis(), t.lastScheduled()));
    }

    private static Answer remove(Draft d, String id, String reason) {
        TimerState t = d.timers.get(id);
        if (t != null) {
            d.timers.remove(id);
            d.tell(new Event.TimerChanged(id, t, null));
            line(d, id, "removed", reason);
        }
        return d.ok();
    }

    private static Answer forget(Draft d, TimerCommand.ForgetTimer c) {
        if (d.timers.get(c.id()) == null) {
            return Draft.unknown("timer", c.id());
        }
        Answer refusal = Configurations.refusal(d, c.id(), k -> k.timers().contains(c.id()));
        return refusal != null ? refusal : remove(d, c.id(), Definitions.forgotten(c.reason()));
    }

    private static Answer pause(Draft d, String id, boolean paused, String reason) {
        TimerState t = d.timers.get(id);
        if (t == null) {
            return Draft.unknown("timer", id);
        }
        if (t.paused() != paused) {
            change(d, t, t.pausing(paused));
            line(d, id, paused ? "paused" : "resumed", reason);
        }
        return d.ok();
    }

    private static Answer fireNow(Draft d, TimerCommand.FireNow c) {
        TimerState t = d.timers.get(c.id());
        if (t == null) {
            return Draft.unknown("timer", c.id());
        }
        if (t.requestOpen()) {
            return Draft.refused(Refusal.BUSY, c.id() + " was asked to fire already, and that is not done");
        }
        long number = c.number() == 0 ? d.index : c.number();
        // Two that are asked for in one millisecond are two occasions to whoever receives them.
        long at = c.atMillis() == t.requestedAt() ? c.atMillis() + 1 : c.atMillis();
        change(d, t, t.requesting(number, at, Fence.NONE));
        line(d, c.id(), "asked to fire", c.reason());
        return d.ok();
    }

    private static Answer fire(Draft d, TimerCommand.Fire c) {
        TimerState t = d.timers.get(c.id());
        Answer refusal = d.fenced(Leases.TIMERS, c.fence(), "firing " + c.id());
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
        change(d, t, after);
        long time = c.requested() ? t.requestedAt() : c.scheduledMillis();
        d.tell(new Event.TimerFired(c.id(), time, c.fence(), c.requested()));
        return d.ok();
    }

    private static @Nullable Answer requestRefused(TimerState t, TimerCommand.Fire c) {
        boolean asked = t.requestOpen() && t.requested() == c.scheduledMillis();
        return asked && c.fence().compareTo(t.requestedFence()) > 0
                ? null
                : Draft.refused(Refusal.CHANGED, c.id() + " fired for that request already, or it is none");
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

    private static Answer fireDone(Draft d, TimerCommand.FireDone c) {
        TimerState t = d.timers.get(c.id());
        Answer refusal = d.fenced(Leases.TIMERS, c.fence(), "end of firing " + c.id());
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
            return d.ok();
        }
        change(d, t, c.requested() ? t.requestDone(c.failure()) : t.finished(c.failure()));
        if (!c.failure().isEmpty() && !c.failure().equals(t.lastFailure())) {
            // one line for each cause: a timer that fails every second is not to fill the history
            d.record(What.TIMER, c.id(), "", "failed", c.fence(), c.failure());
        }
        return d.ok();
    }

    private static Answer skip(Draft d, TimerCommand.Skip c) {
        TimerState t = d.timers.get(c.id());
        Answer refusal = d.fenced(Leases.TIMERS, c.fence(), "skipping firings of " + c.id());
        if (refusal != null || t == null) {
            return refusal != null ? refusal : Draft.unknown("timer", c.id());
        }
        if (!t.done()) {
            return Draft.refused(
                    Refusal.BUSY, "the firing of " + c.id() + " for " + t.lastScheduled() + " is not done");
        }
        if (c.throughMillis() > t.lastScheduled()) {
            change(d, t, t.skipped(c.throughMillis()));
        }
        return d.ok();
    }

    private static void change(Draft d, @Nullable TimerState before, TimerState next) {
        TimerState after = next.versioned(d.index);
        d.timers.put(after.id(), after);
        d.tell(new Event.TimerChanged(after.id(), before, after));
    }

    private static void line(Draft d, String id, String to, String reason) {
        d.record(What.TIMER, id, "", to, Fence.NONE, reason);
    }
}
