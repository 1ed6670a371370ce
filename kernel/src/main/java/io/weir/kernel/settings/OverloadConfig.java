package io.weir.kernel.settings;

import io.weir.base.Knob;
import java.time.Duration;

/** The section {@code kernel.overload-protection}: protection of the whole server against overload. Immutable. */
public record OverloadConfig(
        @Knob(
                doc = "Requests and pieces of work that may wait or run under all work managers together. Further ones"
                        + " are answered busy (503 with Retry-After), unless they displace waiting work of a lower"
                        + " share. Cache hits and the admin listener are not counted."
                        + " Lower it when waiting work takes too much memory: each request costs its connection"
                        + " and buffers. Rule of thumb: the default; capacity constraints bound single kinds of"
                        + " work.",
                value = "65536",
                unit = "requests",
                min = "1",
                max = "1073741824",
                dynamic = true,
                watch = {"weir_work_shared_used", "weir_work_shared_refused_total"},
                knownAs = "SharedCapacityForWorkManagers")
        int sharedCapacity,

        @Knob(doc = "When the server as a whole counts as failed.")
        ServerFailureTrigger serverFailureTrigger,

        @Knob(
                doc = "What a failed server does: no-action only reports the failure, in /health, perfdump and the log;"
                        + " admin-state answers busy to all requests but cache hits, until fewer threads are stuck;"
                        + " force-shutdown drains and exits with status 70, so that a service manager can restart the"
                        + " server.",
                value = "no-action",
                dynamic = true,
                watch = {"weir_server_failed", "weir_server_failures_total"},
                knownAs = "OverloadProtection FailureAction")
        FailureAction failureAction) {

    /** The action when the server has failed. */
    public enum FailureAction {
        NO_ACTION,
        ADMIN_STATE,
        FORCE_SHUTDOWN
    }

    /** The section {@code kernel.overload-protection.server-failure-trigger}. */
    public record ServerFailureTrigger(
            @Knob(
                    doc = "Stuck threads, of all work managers together, at which the server counts as failed. 0:"
                            + " never."
                            + " Set it where an operator or a service manager restarts failed servers. Rule of thumb:"
                            + " half of all execute threads.",
                    value = "0",
                    unit = "threads",
                    min = "0",
                    max = "65536",
                    dynamic = true,
                    watch = {"weir_server_failed", "weir_work_threads_stuck"},
                    knownAs = "ServerFailureTrigger StuckThreadCount")
            int stuckThreadCount,

            @Knob(
                    doc = "How long a thread may be busy with one piece of work before it counts as stuck here; 0: as"
                            + " kernel.stuck-threads.max-time."
                            + " Rule of thumb: twice the longest regular piece of work.",
                    value = "600s",
                    min = "0s",
                    max = "24h",
                    dynamic = true,
                    watch = "weir_server_failures_total",
                    knownAs = "ServerFailureTrigger MaxStuckThreadTime")
            Duration maxStuckThreadTime) {}
}
