package io.weir.http.semantics;

import org.jspecify.annotations.Nullable;

/** Read-only view of a header section: all that the functions of these packages need to see of it. */
@FunctionalInterface
public interface FieldLookup {

    /**
     * The field's value, or null when the field is absent.
     *
     * @param lowerCaseName field name in lower case
     * @return all lines of that name in order, joined with {@code ", "} (RFC 9110 5.3)
     */
    @Nullable
    String combined(String lowerCaseName);

    /** True when at least one line of that name is present, even with an empty value. */
    default boolean has(String lowerCaseName) {
        return combined(lowerCaseName) != null;
    }
}
