package io.weir.kernel;

import io.weir.base.Knob;
import io.weir.base.Unwatched;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How Weir speaks TLS to origins. Immutable. */
public record OriginTlsConfig(
        @Knob(
                doc = "Check the origin's certificate and its name. Off accepts anybody who answers: for tests only.",
                value = "on",
                watch = "weir_tls_handshake_failures_total",
                seed = "validate-server-cert")
        boolean verify,

        @Knob(
                doc = "File with trusted authorities, PEM or PKCS#12; none means the JDK's.",
                watch = "weir_proxy_origin_failures_total")
        @Nullable
        String trustFile,

        @Knob(doc = "Password of a PKCS#12 trust file.", secret = true, unwatched = Unwatched.SECRET) @Nullable
        String trustPassword,

        @Knob(doc = "Who encrypts, as for listeners.", value = "auto", watch = "weir_proxy_origin_failures_total")
        TlsConfig.Provider provider,

        @Knob(doc = "Versions offered.", value = "TLSv1.3,TLSv1.2", watch = "weir_proxy_origin_failures_total")
        List<TlsConfig.Version> protocols,

        @Knob(
                doc = "Application protocols offered by ALPN.",
                value = "http/1.1",
                watch = "weir_proxy_origin_failures_total")
        List<String> alpn,

        @Knob(
                doc = "Cipher suites in order of preference; none means the provider's choice.",
                watch = "weir_proxy_origin_tls_failures_total")
        List<String> ciphers,

        @Knob(
                doc =
                        "File with the revocation lists of the authorities in trust-file, PEM or DER; what they revoked is"
                                + " refused, and what has no list there. None: revocation is not checked.",
                watch = "weir_proxy_origin_tls_failures_total")
        @Nullable
        String crlFile,

        @Knob(
                doc =
                        "Sessions kept to resume with origins; a resumed handshake costs both sides a fraction of a full one.",
                value = "1000",
                unit = "sessions",
                min = "1",
                max = "1048576",
                watch = {"weir_proxy_origin_tls_resumed_total", "weir_proxy_origin_tls_handshakes_total"})
        int sessionCache,

        @Knob(doc = "What Weir shows to origins that ask for a certificate.")
        OwnCertificate certificate) {

    /** The section {@code certificate}: two PEM files or one PKCS#12 file; nothing: none is shown. */
    public record OwnCertificate(
            @Knob(doc = "PEM file with the certificate and its intermediates, leaf first.", unwatched = Unwatched.NAME)
            @Nullable
            String chainFile,

            @Knob(doc = "PEM file with the private key (PKCS#8).", unwatched = Unwatched.NAME) @Nullable
            String keyFile,

            @Knob(
                    doc = "PKCS#12 file with certificate and key, instead of the two PEM files.",
                    unwatched = Unwatched.NAME)
            @Nullable
            String pkcs12,

            @Knob(doc = "Password of the key file or the PKCS#12 file.", secret = true, unwatched = Unwatched.SECRET)
            @Nullable
            String password) {

        boolean given() {
            return chainFile != null || keyFile != null || pkcs12 != null;
        }

        TlsConfig.Certificate files() {
            return new TlsConfig.Certificate(chainFile, keyFile, pkcs12, password, null);
        }
    }

    /** Whether files are named, which are then read at the start. */
    public boolean namesFiles() {
        return trustFile != null || crlFile != null || certificate.given();
    }
}
