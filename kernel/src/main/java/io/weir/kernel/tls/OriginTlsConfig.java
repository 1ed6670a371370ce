package io.weir.kernel.tls;

import io.weir.base.Knob;
import io.weir.base.Unwatched;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** TLS towards origins. Immutable. */
public record OriginTlsConfig(
        @Knob(
                doc = "Verifies the origin's certificate and its name. Off accepts any server: for tests only.",
                value = "on",
                watch = "weir_proxy_origin_tls_failures_total",
                knownAs = "validate-server-cert")
        boolean verify,

        @Knob(
                doc = "File with trusted authorities, PEM or PKCS#12; none means the JDK's.",
                watch = "weir_proxy_origin_tls_failures_total")
        @Nullable
        String trustFile,

        @Knob(doc = "Password of a PKCS#12 trust file.", secret = true, unwatched = Unwatched.SECRET) @Nullable
        String trustPassword,

        @Knob(
                doc = "TLS implementation, as for listeners.",
                value = "auto",
                watch = "weir_proxy_origin_tls_failures_total")
        TlsConfig.Provider provider,

        @Knob(doc = "Versions offered.", value = "TLSv1.3,TLSv1.2", watch = "weir_proxy_origin_tls_failures_total")
        List<TlsConfig.Version> protocols,

        @Knob(
                doc = "Application protocols offered by ALPN.",
                value = "http/1.1",
                watch = "weir_proxy_origin_tls_failures_total")
        List<String> alpn,

        @Knob(
                doc = "Cipher suites in order of preference; none means the provider's choice.",
                watch = "weir_proxy_origin_tls_failures_total")
        List<String> ciphers,

        @Knob(
                doc = "File with the revocation lists (CRLs) of the authorities in trust-file, PEM or DER. Revoked"
                        + " certificates are refused, and so are those whose authority has no list in the file."
                        + " None: revocation is not checked.",
                watch = "weir_proxy_origin_tls_failures_total")
        @Nullable
        String crlFile,

        @Knob(
                doc = "Sessions kept for resumption with origins; a resumed handshake costs both sides a fraction of"
                        + " a full one."
                        + " Rule of thumb: the number of origins.",
                value = "1000",
                unit = "sessions",
                min = "1",
                max = "1048576",
                watch = {"weir_proxy_origin_tls_resumed_total", "weir_proxy_origin_tls_handshakes_total"})
        int sessionCache,

        @Knob(
                doc = "How often the trust, revocation and certificate files are checked for changes, which apply to"
                        + " new connections. 0: only on request (./weir tls reload)."
                        + " Rule of thumb: the default.",
                value = "10s",
                min = "0s",
                max = "24h",
                watch = {"weir_tls_reloads_total", "weir_tls_certificate_expiry_seconds"})
        Duration reloadInterval,

        @Knob(doc = "Client certificate that Weir presents to origins that request one.")
        CertificateFiles certificate) {

    /** A copy with other application protocols offered. */
    public OriginTlsConfig withAlpn(List<String> offered) {
        return new OriginTlsConfig(
                verify,
                trustFile,
                trustPassword,
                provider,
                protocols,
                offered,
                ciphers,
                crlFile,
                sessionCache,
                reloadInterval,
                certificate);
    }

    /** The files that it names; they are read at start. */
    public List<String> files() {
        return Stream.concat(Stream.of(trustFile, crlFile), certificate.all())
                .filter(Objects::nonNull)
                .toList();
    }
}
