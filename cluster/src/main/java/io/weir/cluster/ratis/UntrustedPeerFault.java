package io.weir.cluster.ratis;

import java.security.cert.CertificateException;
import org.jspecify.annotations.Nullable;

/** A peer's credentials do not prove that it is a member. */
final class UntrustedPeerFault extends CertificateException {
    private static final long serialVersionUID = 1;

    private final PeerRefusal why;

    UntrustedPeerFault(PeerRefusal why, @Nullable Throwable cause) {
        super(why.text(), cause);
        this.why = why;
    }

    PeerRefusal why() {
        return why;
    }

    /** The reason of a UntrustedPeerFault among the causes; null if none. */
    static @Nullable PeerRefusal in(@Nullable Throwable failure) {
        Throwable at = failure;
        for (int depth = 0; at != null && depth < 16; depth++) {
            if (at instanceof UntrustedPeerFault fault) {
                return fault.why();
            }
            at = at.getCause();
        }
        return null;
    }
}
