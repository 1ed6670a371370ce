package io.weir.cluster.timer;

import io.weir.base.DeclaredMessage;
import io.weir.base.Severity;

/** Messages of cluster-wide timers. */
public enum TimerMessages implements DeclaredMessage {
    BEGUN(40770, Severity.INFO, "This member now fires the cluster's timers, fence {}: {} timers", ""),
    ENDED(40771, Severity.INFO, "This member no longer fires the cluster's timers, fence {}", ""),
    FIRED(40772, Severity.FINE, "Timer {} fired for {} with fence {}", ""),
    FAILED(
            40773,
            Severity.ERROR,
            "The listener of timer {} failed for {}: {}",
            "The firing counts as done. See the listener's log messages."),
    SKIPPED(40774, Severity.NOTICE, "Timer {} skipped {} missed firings up to {}: its misfire policy is {}", ""),
    REPEATED(
            40775,
            Severity.NOTICE,
            "Timer {} fires again for {} with fence {}: the end of its firing with fence {} was not recorded",
            ""),
    NO_SCHEDULE(
            40776,
            Severity.ERROR,
            "Timer {} does not fire: {}",
            "Define it again; a member of another version may have defined it."),
    BUSY(
            40777,
            Severity.WARNING,
            "Timer {} cannot run for {}: all threads for timers are busy",
            "Its listener is called when one is free. See what the listeners wait for.");

    private final Declaration declaration;

    TimerMessages(int id, Severity severity, String text, String remedy) {
        this.declaration = new Declaration(id, severity, "Cluster", text, remedy);
    }

    @Override
    public Declaration declaration() {
        return declaration;
    }
}
