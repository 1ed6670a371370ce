package io.weir.cluster.config;

import io.weir.base.Knob;
import io.weir.base.Unwatched;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code cluster.tls}: members authenticate each other with certificates at their log ports, and also with
 * the secret if one is configured. All three files, or none. Immutable.
 */
public record ClusterTlsConfig(
        @Knob(
                doc = "PEM file with this member's certificate and its intermediates, leaf first. It is presented"
                        + " both as server and as client.",
                unwatched = Unwatched.NAME)
        @Nullable
        String chainFile,

        @Knob(doc = "PEM file with the certificate's private key (PKCS#8).", unwatched = Unwatched.NAME) @Nullable
        String keyFile,

        @Knob(doc = "PEM file with the certificate authorities trusted for members.", unwatched = Unwatched.NAME)
        @Nullable
        String trustFile) {

    /** Whether members use TLS. */
    public boolean enabled() {
        return chainFile != null && keyFile != null && trustFile != null;
    }
}
