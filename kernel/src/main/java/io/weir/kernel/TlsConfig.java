package io.weir.kernel;

import io.weir.base.Knob;
import io.weir.base.Spelled;
import io.weir.base.Unwatched;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The section {@code tls} of a listener. Immutable. */
public record TlsConfig(
        @Knob(
                doc = "Certificates with their keys. With several, the one whose names match the client's SNI is"
                        + " shown, the first one otherwise. None: no TLS.")
        List<Certificate> certificates,

        @Knob(
                doc = "Who encrypts. auto takes BoringSSL where it loads and the JDK elsewhere; BoringSSL costs a"
                        + " fraction of the CPU.",
                value = "auto",
                watch = "weir_tls_handshakes_total")
        Provider provider,

        @Knob(
                doc = "Versions offered. Older clients may need TLSv1.2.",
                value = "TLSv1.3,TLSv1.2",
                watch = {"weir_tls_handshakes_total", "weir_tls_handshake_failures_total"})
        List<Version> protocols,

        @Knob(
                doc = "Cipher suites in order of preference; none means the provider's choice.",
                watch = "weir_tls_handshake_failures_total")
        List<String> ciphers,

        @Knob(
                doc = "Application protocols offered by ALPN.",
                value = "http/1.1",
                watch = "weir_tls_handshake_failures_total")
        List<String> alpn,

        @Knob(
                doc = "Sessions kept for resumption. A resumed handshake costs a fraction of a full one.",
                value = "10000",
                unit = "sessions",
                min = "1",
                max = "1048576",
                watch = "weir_tls_handshakes_total",
                seed = "SSLCacheEntries")
        int sessionCache,

        @Knob(
                doc = "How long a session may be resumed.",
                value = "24h",
                min = "1s",
                max = "48h",
                watch = "weir_tls_handshakes_total",
                seed = "SSL3SessionTimeout")
        Duration sessionTimeOut,

        @Knob(
                doc = "Whether clients show a certificate, checked against client-trust.",
                value = "none",
                watch = "weir_tls_handshake_failures_total")
        ClientAuth clientAuth,

        @Knob(
                doc = "File with the authorities whose client certificates are trusted: PEM or PKCS#12.",
                watch = "weir_tls_handshake_failures_total")
        @Nullable
        String clientTrust) {

    /** Whether there is anything to serve TLS with. */
    public boolean enabled() {
        return !certificates.isEmpty();
    }

    /** One certificate chain and its private key: either two PEM files or one PKCS#12 file. */
    public record Certificate(
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

        /** The file to name in messages. */
        public String place() {
            return pkcs12 != null ? pkcs12 : String.valueOf(chainFile);
        }
    }

    /** Who encrypts. */
    public enum Provider {
        AUTO,
        BORINGSSL,
        JDK
    }

    /** What is asked of clients. */
    public enum ClientAuth {
        NONE,
        WANT,
        NEED
    }

    /** A TLS version. */
    public enum Version implements Spelled {
        TLS_1_3("TLSv1.3"),
        TLS_1_2("TLSv1.2");

        private final String spelling;

        Version(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String spelling() {
            return spelling;
        }
    }
}
