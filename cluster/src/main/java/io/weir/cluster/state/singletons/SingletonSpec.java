package io.weir.cluster.state.singletons;

import io.weir.cluster.state.entry.Differences;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The specification of a singleton service, as configured or deployed, with WebLogic's names. Immutable.
 *
 * @param className the service's class
 * @param deployment the deployment that contains it; null: the server's class path
 * @param preferred UserPreferredServer: the preferred candidate; null for none
 * @param candidates ConstrainedCandidateServers; empty: every member
 * @param additionalAttempts AdditionalMigrationAttempts: circuits over all candidates after it failed on each
 * @param pauseMillis MillisToSleepBetweenAttempts: minimum pause between two circuits; grows with each
 * @param failBackMillis how long the preferred server must have been alive, for {@link FailBackMode#AFTER}
 * @param enabled if false, it is defined, but paused until resumed
 * @param properties properties passed to the service
 */
public record SingletonSpec(
        String name,
        String className,
        @Nullable String deployment,
        @Nullable String preferred,
        List<String> candidates,
        int additionalAttempts,
        long pauseMillis,
        FailBackMode failBack,
        long failBackMillis,
        boolean enabled,
        SortedMap<String, String> properties) {
    /** WebLogic's AdditionalMigrationAttempts. */
    public static final int ATTEMPTS = 2;
    /** WebLogic's MillisToSleepBetweenAttempts. */
    public static final long PAUSE_MILLIS = 300_000;
    /** Default time for which a preferred server must have been stable. */
    public static final long FAIL_BACK_MILLIS = 60_000;

    public SingletonSpec {
        candidates = List.copyOf(candidates);
        properties = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(properties));
    }

    /** A service that may run on any member, with all defaults. */
    public static SingletonSpec of(String name, String className) {
        return new SingletonSpec(
                name,
                className,
                null,
                null,
                List.of(),
                ATTEMPTS,
                PAUSE_MILLIS,
                FailBackMode.OFF,
                FAIL_BACK_MILLIS,
                true,
                new TreeMap<>());
    }

    /** Whether it may run on this member if that is alive. */
    public boolean mayRunOn(String member) {
        return candidates.isEmpty() || candidates.contains(member) || member.equals(preferred);
    }

    public SingletonSpec preferring(@Nullable String server) {
        return new SingletonSpec(
                name,
                className,
                deployment,
                server,
                candidates,
                additionalAttempts,
                pauseMillis,
                failBack,
                failBackMillis,
                enabled,
                properties);
    }

    public SingletonSpec among(List<String> servers) {
        return new SingletonSpec(
                name,
                className,
                deployment,
                preferred,
                servers,
                additionalAttempts,
                pauseMillis,
                failBack,
                failBackMillis,
                enabled,
                properties);
    }

    public SingletonSpec attempting(int circuits, long millisBetween) {
        return new SingletonSpec(
                name,
                className,
                deployment,
                preferred,
                candidates,
                circuits,
                millisBetween,
                failBack,
                failBackMillis,
                enabled,
                properties);
    }

    public SingletonSpec failingBack(FailBackMode mode, long millis) {
        return new SingletonSpec(
                name,
                className,
                deployment,
                preferred,
                candidates,
                additionalAttempts,
                pauseMillis,
                mode,
                millis,
                enabled,
                properties);
    }

    public SingletonSpec deployedBy(String deploymentName) {
        return new SingletonSpec(
                name,
                className,
                deploymentName,
                preferred,
                candidates,
                additionalAttempts,
                pauseMillis,
                failBack,
                failBackMillis,
                enabled,
                properties);
    }

    public SingletonSpec enabled(boolean on) {
        return new SingletonSpec(
                name,
                className,
                deployment,
                preferred,
                candidates,
                additionalAttempts,
                pauseMillis,
                failBack,
                failBackMillis,
                on,
                properties);
    }

    public SingletonSpec with(Map<String, String> values) {
        return new SingletonSpec(
                name,
                className,
                deployment,
                preferred,
                candidates,
                additionalAttempts,
                pauseMillis,
                failBack,
                failBackMillis,
                enabled,
                new TreeMap<>(values));
    }

    /** The configuration keys in which it differs from another. */
    public List<String> differences(SingletonSpec other) {
        Differences keys = new Differences()
                .of("class-name", className, other.className)
                .of("preferred-server", preferred, other.preferred)
                .of("candidate-servers", candidates, other.candidates)
                .of("additional-migration-attempts", additionalAttempts, other.additionalAttempts)
                .of("sleep-between-attempts", pauseMillis, other.pauseMillis)
                .of("fail-back", failBack, other.failBack)
                .of("fail-back-delay", failBackMillis, other.failBackMillis)
                .of("enabled", enabled, other.enabled);
        TreeSet<String> names = new TreeSet<>(properties.keySet());
        names.addAll(other.properties.keySet());
        names.forEach(n -> keys.of("properties." + n, properties.get(n), other.properties.get(n)));
        return keys.keys();
    }
}
