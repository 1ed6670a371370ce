package io.weir.broker.report;

import io.weir.jms.frames.RefusalCode;
import java.util.Locale;

/** A request that is refused, with the text for its user: what, where, why, what to do. Without a stack trace. Immutable. */
public class RequestRefusal extends Exception {
    private static final long serialVersionUID = 1;

    private final RefusalCode code;

    public RequestRefusal(RefusalCode code, String text) {
        super(text, null, false, false);
        this.code = code;
    }

    public RefusalCode code() {
        return code;
    }

    public String text() {
        return String.valueOf(getMessage());
    }

    /** The label of its counter. */
    String reason() {
        return reason(code);
    }

    static String reason(RefusalCode code) {
        return code.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
