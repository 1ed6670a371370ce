package io.weir.cluster.state.timers;

import io.weir.base.Fence;
import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.entry.Refusal;
import io.weir.cluster.state.leases.Leases;

/**
 * Commands about cluster-wide timers. Firings are refused with {@link Refusal#STALE_FENCE}, and counted, unless the
 * fence is the current one of {@link Leases#TIMERS}.
 */
public sealed interface TimerCommand extends Command {
    /**
     * A timer of the configuration or an application. The same again changes nothing.
     *
     * @param fromMillis its beginning when it is new or has another schedule; else ignored
     */
    record DefineTimer(TimerSpec spec, long fromMillis) implements TimerCommand {}

    /** Gone from the configuration of a server that is alone, or from the application that defined it. */
    record RemoveTimer(String id) implements TimerCommand {}

    /** An operator has it forgotten. Refused with {@link Refusal#CONFIGURED} while a member's configuration has it. */
    record ForgetTimer(String id, String reason) implements TimerCommand {}

    record PauseTimer(String id, String reason) implements TimerCommand {
        public PauseTimer(String id) {
            this(id, "");
        }
    }

    /** What it missed while paused is treated by its misfire policy. */
    record ResumeTimer(String id, String reason) implements TimerCommand {
        public ResumeTimer(String id) {
            this(id, "");
        }
    }

    /**
     * An operator requests an extra firing. Refused with {@link Refusal#BUSY} while another one is pending.
     *
     * @param atMillis by the clock of the member that was asked, for people
     * @param number of the request: 0 for the index of this entry; else what an entry of an earlier version said
     */
    record FireNow(String id, long atMillis, String reason, long number) implements TimerCommand {
        public FireNow(String id, long atMillis, String reason) {
            this(id, atMillis, reason, 0);
        }

        public FireNow(String id, long atMillis) {
            this(id, atMillis, "");
        }
    }

    /**
     * A firing, before its listener is called: accepted once for each (id, scheduled time, fence), in the order of
     * scheduled times. The last one is accepted again with a higher fence when its listener was not seen to return.
     *
     * @param scheduledMillis the time; of one that was asked for the request's number
     * @param requested it is the one that FireNow asked for
     */
    record Fire(String id, long scheduledMillis, Fence fence, boolean requested) implements TimerCommand {}

    /** The listener returned. */
    record FireDone(String id, long scheduledMillis, Fence fence, boolean requested, String failure)
            implements TimerCommand {}

    /** Firings missed up to this time will not be made up for, by the misfire policy. */
    record Skip(String id, long throughMillis, Fence fence) implements TimerCommand {}
}
