package io.weir.kernel.work;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Work managers and what they share: the sections {@code work-managers}, {@code request-classes} and {@code constraints}.
 * Immutable; all of it follows a live change.
 *
 * @param managers work managers by name; null for those that the kernel was made with
 */
public record WorkConfig(
        Map<String, RequestClassConfig> requestClasses,
        ConstraintsConfig constraints,
        @Nullable Map<String, WorkManagerConfig> managers) {
    /** No classes and no constraints. */
    public static final WorkConfig NONE = new WorkConfig(Map.of(), ConstraintsConfig.NONE);

    public WorkConfig {
        requestClasses = Map.copyOf(requestClasses);
        managers = managers == null ? null : Map.copyOf(managers);
    }

    /** What the work managers share that the kernel was made with. */
    public WorkConfig(Map<String, RequestClassConfig> requestClasses, ConstraintsConfig constraints) {
        this(requestClasses, constraints, null);
    }
}
