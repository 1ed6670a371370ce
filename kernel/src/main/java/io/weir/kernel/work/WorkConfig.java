package io.weir.kernel.work;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Work managers and their shared settings: the sections {@code work-managers}, {@code request-classes} and {@code
 * constraints}. Immutable; all of it can be changed live.
 *
 * @param managers work managers by name; null for those that the kernel was created with
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

    /** Classes and constraints for the work managers that the kernel was created with. */
    public WorkConfig(Map<String, RequestClassConfig> requestClasses, ConstraintsConfig constraints) {
        this(requestClasses, constraints, null);
    }
}
