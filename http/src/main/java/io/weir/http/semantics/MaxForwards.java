package io.weir.http.semantics;

import io.weir.http.Method;
import org.jspecify.annotations.Nullable;

/** Max-Forwards of TRACE and OPTIONS (RFC 9110 7.6.2). Stateless. */
public final class MaxForwards {

    /** The field does not apply: forward without change. */
    public static final long UNLIMITED = -1;

    /** Do not forward: answer as the final recipient. */
    public static final long ANSWER_HERE = -2;

    private static final long LARGEST = Integer.MAX_VALUE;

    private MaxForwards() {}

    /**
     * What to do with a request.
     *
     * @param value all lines of the field, or null; anything but one number counts as absent
     * @return the number to forward, {@link #ANSWER_HERE} or {@link #UNLIMITED}
     */
    public static long next(Method method, @Nullable String value) {
        if (value == null || !(method == Method.TRACE || method == Method.OPTIONS)) {
            return UNLIMITED;
        }
        long left = DeltaSeconds.parseUpTo(value, 0, value.length(), LARGEST);
        if (left == DeltaSeconds.INVALID) {
            return UNLIMITED;
        }
        return left == 0 ? ANSWER_HERE : left - 1;
    }

    /** Whether a field is omitted from the response to a TRACE, because it may be secret (RFC 9110 9.3.8). */
    public static boolean isWithheldFromTrace(String lowerCaseName) {
        return switch (lowerCaseName) {
            case "authorization", "proxy-authorization", "cookie", "client-cert", "client-cert-chain" -> true;
            default -> false;
        };
    }
}
