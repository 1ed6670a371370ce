package io.weir.cluster.ratis;

import java.security.cert.CertificateException;
import org.jspecify.annotations.Nullable;

/** A peer's credentials do not prove that it is a member. */
final class StrangerFault extends CertificateException {
    private static final long serialVersionUID = 1;

    private final Stranger why;

    StrangerFault(Stranger why, @Nullable Throwable cause) {
        super(why.text(), cause);
        this.why = why;
    }

    Stranger why() {
        return why;
    }

    /** The reason of a StrangerFault among the causes; null if none. */
    static @Nullable Stranger in(@Nullable Throwable failure) {
        Throwable at = failure;
        for (int depth = 0; at != null && depth < 16; depth++) {
            if (at instanceof StrangerFault fault) {
                return fault.why();
            }
            at = at.getCause();
        }
        return null;
    }
}
