package io.weir.cluster.config;

import io.weir.base.Knob;
import io.weir.base.Unwatched;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * An entry of {@code singletons}: a class of {@code cluster.lib-dir} of which one object in the cluster is active, or what is
 * to be of a deployed one of this name. The same on all members. Immutable.
 */
public record SingletonConfig(
        @Knob(
                doc = "Class that implements io.weir.cluster.SingletonService, or the same of WebLogic's shape. With a"
                        + " public constructor that takes a Map it gets properties, otherwise it is made without. Empty: the"
                        + " entry says where and how a deployed singleton of this name runs, and defines none itself.",
                knownAs = "ClassName",
                unwatched = Unwatched.NAME)
        String className,

        @Knob(
                doc = "Member on which it is active if it can be; empty: the one with the fewest.",
                knownAs = "UserPreferredServer",
                unwatched = Unwatched.MEANING)
        String preferredServer,

        @Knob(
                doc = "Members on which it may be active; none: all of them.",
                knownAs = "ConstrainedCandidateServers",
                unwatched = Unwatched.MEANING)
        List<String> candidateServers,

        @Knob(
                doc =
                        "How many more circuits over its candidates are made after it failed on each of them. The one where"
                                + " it began to fail is left out of them while another is up. Then it stays deactivated until somebody"
                                + " resumes it.",
                value = "2",
                unit = "circuits",
                min = "0",
                max = "10000",
                watch = "weir_singleton_activation_failures_total",
                knownAs = "AdditionalMigrationAttempts")
        int additionalMigrationAttempts,

        @Knob(
                doc = "Pause before each further circuit; it doubles each time, up to an hour.",
                value = "300s",
                max = "1d",
                watch = "weir_singleton_activation_failures_total",
                knownAs = "MillisToSleepBetweenAttempts")
        Duration sleepBetweenAttempts,

        @Knob(
                doc =
                        "Whether it goes back to its preferred server when that is there again: off never, immediate at once,"
                                + " after when it was there for fail-back-delay. Each move interrupts it shortly. What an operator migrated"
                                + " elsewhere stays there until that server was away and is there again.",
                value = "off",
                watch = "weir_singleton_transitions_total",
                knownAs = "FailbackDelaySeconds")
        FailBack failBack,

        @Knob(
                doc = "How long the preferred server must have been there, with fail-back: after.",
                value = "60s",
                max = "30d",
                watch = "weir_singleton_transitions_total",
                knownAs = "FailbackDelaySeconds")
        Duration failBackDelay,

        @Knob(doc = "Off: it is known, and paused from the start.", value = "on", unwatched = Unwatched.SWITCH)
        boolean enabled,

        @Knob(
                doc = "Name under which it is bound while it is active, so that others call its interfaces; empty: it"
                        + " binds itself, or nothing does.",
                unwatched = Unwatched.NAME)
        String exposedAs,

        @Knob(
                doc = "Group that callers of what it binds must be in; empty: whoever may connect calls it.",
                unwatched = Unwatched.NAME)
        String callRole,

        @Knob(
                doc =
                        "Texts by name for the object's constructor; exposed-as and call-role are among them where they are"
                                + " set.",
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
