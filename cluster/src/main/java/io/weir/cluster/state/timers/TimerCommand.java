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
     * Defines a timer of the configuration or an application. Idempotent.
     *
     * @param fromMillis its start if it is new or its schedule changed; otherwise ignored
     */
    record DefineTimer(TimerSpec spec, long fromMillis) implements TimerCommand {}

    /** It was removed from the configuration of a single server, or from the application that defined it. */
    record RemoveTimer(String id) implements TimerCommand {}

    /** An operator removes it. Refused with {@link Refusal#CONFIGURED} while a member's configuration defines it. */
    record ForgetTimer(String id, String reason) implements TimerCommand {}

    record PauseTimer(String id, String reason) implements TimerCommand {
        public PauseTimer(String id) {
            this(id, "");
        }
    }

    /** Firings missed while paused are handled by its misfire policy. */
    record ResumeTimer(String id, String reason) implements TimerCommand {
        public ResumeTimer(String id) {
            this(id, "");
        }
    }

    /**
     * An operator requests an extra firing. Refused with {@link Refusal#BUSY} while another one is pending.
     *
     * @param atMillis time of the request by the receiving member's clock, for display
     * @param number number of the request: 0 for the index of this entry; otherwise from an entry of an earlier version
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
     * scheduled times. The last one is accepted again with a higher fence if its completion was not recorded.
     *
     * @param scheduledMillis the scheduled time; for a requested firing the number of the request
     * @param requested whether it was requested by FireNow
     */
    record Fire(String id, long scheduledMillis, Fence fence, boolean requested) implements TimerCommand {}

    /** The listener returned. */
    record FireDone(String id, long scheduledMillis, Fence fence, boolean requested, String failure)
            implements TimerCommand {}

    /** Firings missed up to this time are skipped because of the misfire policy. */
    record Skip(String id, long throughMillis, Fence fence) implements TimerCommand {}
}
