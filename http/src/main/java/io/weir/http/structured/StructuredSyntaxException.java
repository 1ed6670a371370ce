package io.weir.http.structured;

/**
 * Thrown if a field is not a structured field of the expected type; RFC 9651 4.2 requires that it be ignored as a
 * whole.
 */
public final class StructuredSyntaxException extends Exception {

    private static final long serialVersionUID = 1L;

    private final int position;

    StructuredSyntaxException(String what, int position) {
        super(what + " at " + position, null, false, false);
        this.position = position;
    }

    /** Index of the character where parsing failed. */
    public int position() {
        return position;
    }
}
