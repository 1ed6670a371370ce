package io.weir.kernel;

import java.util.Map;

/**
 * What work managers share: the sections {@code request-classes} and {@code constraints}. Immutable; shares, goals and
 * counts follow a live change, names do not.
 */
public record WorkConfig(Map<String, RequestClassConfig> requestClasses, ConstraintsConfig constraints) {
    /** No classes and no constraints. */
    public static final WorkConfig NONE = new WorkConfig(Map.of(), ConstraintsConfig.NONE);

    public WorkConfig {
        requestClasses = Map.copyOf(requestClasses);
    }
}
