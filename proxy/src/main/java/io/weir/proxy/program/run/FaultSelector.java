package io.weir.proxy.program.run;

import io.weir.http.Reason;
import org.jspecify.annotations.Nullable;

/**
 * Which faults a directive of Error is for: those with a status or a reason; all, if it names neither. Immutable.
 *
 * @param code the status; 0: not named
 * @param reason in any case: the status's phrase, that of the Sun servers, or the fault's code; null: not named
 */
public record FaultSelector(int code, @Nullable String reason) {
    /**
     * Whether the directive is for this fault.
     *
     * @param status that of its answer, which a function may have chosen
     */
    public boolean selects(ProxyFault fault, int status) {
        if (code == 0 && reason == null) {
            return true;
        }
        return status == code || (reason != null && isReason(fault, reason));
    }

    private static boolean isReason(ProxyFault fault, String reason) {
        return reason.equalsIgnoreCase(fault.code())
                || reason.equalsIgnoreCase(Reason.of(fault.status()))
                || reason.equalsIgnoreCase(sun(fault.status()));
    }

    /** The phrases of the Sun servers that differ from the standard's. */
    private static String sun(int status) {
        return switch (status) {
            case 408 -> "Request Timeout";
            case 413 -> "Request Entity Too Large";
            case 500 -> "Server Error";
            case 504 -> "Gateway Timeout";
            default -> "";
        };
    }
}
