package io.weir.cluster.config;

import io.weir.base.Knob;
import io.weir.base.Unwatched;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * An entry of {@code singletons}: a class of {@code cluster.lib-dir} of which one object in the cluster is active, or
 * settings for a deployed singleton of this name. The same on all members. Immutable.
 */
public record SingletonConfig(
        @Knob(
                doc = "Class that implements io.weir.cluster.SingletonService, or"
                        + " io.weir.cluster.weblogic.SingletonService. A public constructor that takes a Map gets"
                        + " properties; otherwise the one without parameters is used. Empty: the entry configures where"
                        + " and how a deployed singleton of this name runs, and defines none itself.",
                knownAs = "ClassName",
                unwatched = Unwatched.NAME)
        String className,

        @Knob(
                doc = "Member on which it is active if possible; empty: the member with the fewest singletons.",
                knownAs = "UserPreferredServer",
                unwatched = Unwatched.MEANING)
        String preferredServer,

        @Knob(
                doc = "Members on which it may be active; empty: all members.",
                knownAs = "ConstrainedCandidateServers",
                unwatched = Unwatched.MEANING)
        List<String> candidateServers,

        @Knob(
                doc = "How many more circuits over its candidates are tried after it failed on each of them. The one"
                        + " where it first failed is skipped while another is up. After that it stays"
                        + " deactivated until an operator resumes it."
                        + " Rule of thumb: the default.",
                value = "2",
                unit = "circuits",
                min = "0",
                max = "10000",
                watch = "weir_singleton_activation_failures_total",
                knownAs = "AdditionalMigrationAttempts")
        int additionalMigrationAttempts,

        @Knob(
                doc = "Pause before each further circuit; it doubles each time, up to an hour."
                        + " Rule of thumb: the time in which what it needs recovers.",
                value = "300s",
                max = "1d",
                watch = "weir_singleton_activation_failures_total",
                knownAs = "MillisToSleepBetweenAttempts")
        Duration sleepBetweenAttempts,

        @Knob(
                doc = "Whether it returns to its preferred server when that is up again. off: never; immediate: at"
                        + " once; after: when the server has been up for fail-back-delay. Each migration"
                        + " interrupts the singleton briefly. One that an operator migrated elsewhere stays"
                        + " there until the preferred server has been down and up again.",
                value = "off",
                watch = "weir_singleton_transitions_total",
                knownAs = "FailbackDelaySeconds")
        FailBack failBack,

        @Knob(
                doc = "How long the preferred server must have been up, with fail-back: after."
                        + " A longer time keeps a server that crashes again and again from taking it back. Rule"
                        + " of thumb: twice the server's warm-up.",
                value = "60s",
                max = "30d",
                watch = "weir_singleton_transitions_total",
                knownAs = "FailbackDelaySeconds")
        Duration failBackDelay,

        @Knob(doc = "Off: it is defined, but paused from the start.", value = "on", unwatched = Unwatched.SWITCH)
        boolean enabled,

        @Knob(
                doc = "Name under which it is bound while it is active, so that others can call its interfaces; empty:"
                        + " it is not bound unless it binds itself.",
                unwatched = Unwatched.NAME)
        String exposedAs,

        @Knob(
                doc = "Group that callers of its bound objects must be in; empty: every client that may connect.",
                unwatched = Unwatched.NAME)
        String callRole,

        @Knob(
                doc = "Properties that are passed to the object's constructor; exposed-as and call-role are among"
                        + " them if they are set.",
                unwatched = Unwatched.MEANING)
        Map<String, String> properties) {
    public SingletonConfig {
        // not given: empty
        className = Objects.requireNonNullElse(className, "");
        preferredServer = Objects.requireNonNullElse(preferredServer, "");
        exposedAs = Objects.requireNonNullElse(exposedAs, "");
        callRole = Objects.requireNonNullElse(callRole, "");
    }
}
