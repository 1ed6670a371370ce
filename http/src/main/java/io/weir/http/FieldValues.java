package io.weir.http;

import org.jspecify.annotations.Nullable;

/** What has fields by their names: received ones, or those of a stored answer, which are read one by one. */
public interface FieldValues {
    /** The values of all fields of this name joined by a comma and a space (RFC 9110 section 5.3), or null. */
    @Nullable
    String combined(FieldName name);
}
