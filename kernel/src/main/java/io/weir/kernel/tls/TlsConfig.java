package io.weir.kernel.tls;

import io.weir.base.Knob;
import io.weir.base.Spelled;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The section {@code tls} of a listener. Immutable. */
public record TlsConfig(
        @Knob(
                doc = "Certificates with their keys. With several, the one whose names match the client's SNI is"
                        + " presented, otherwise the first one. None: no TLS.",
                dynamic = true)
        List<Certificate> certificates,

        @Knob(
                doc = "TLS implementation. auto uses BoringSSL where it loads and the JDK elsewhere; BoringSSL costs a"
                        + " fraction of the CPU.",
                value = "auto",
                watch = "weir_tls_handshakes_total",
                dynamic = true)
        Provider provider,

        @Knob(
                doc = "Versions offered. Older clients may need TLSv1.2.",
                value = "TLSv1.3,TLSv1.2",
                watch = {"weir_tls_handshakes_total", "weir_tls_handshake_failures_total"},
                dynamic = true)
        List<Version> protocols,

        @Knob(
                doc = "Cipher suites in order of preference; none means the provider's choice.",
                watch = "weir_tls_handshake_failures_total",
                dynamic = true)
        List<String> ciphers,

        @Knob(
                doc = "Application protocols offered by ALPN.",
                value = "h2,http/1.1",
                watch = {"weir_http2_connections_total", "weir_tls_handshake_failures_total"},
                dynamic = true)
        List<String> alpn,

        @Knob(
                doc =
                        "Sessions of TLS 1.2 kept for resumption, for each certificate; tickets (docs/tls.md) take no room"
                                + " here. A resumed handshake costs a fraction of a full one: raise it when clients without"
                                + " tickets come back and the resumed handshakes stay few beside all of them. Each session costs"
                                + " memory until session-time-out. Rule of thumb: the clients without tickets that come back"
                                + " within session-time-out.",
                value = "10000",
                unit = "sessions",
                min = "1",
                max = "1048576",
                watch = {"weir_tls_handshakes_resumed_total", "weir_tls_handshakes_total"},
                knownAs = "SSLCacheEntries",
                dynamic = true)
        int sessionCache,

        @Knob(
                doc = "How long a session may be resumed."
                        + " Longer saves returning clients full handshakes; who has a ticket's key can read what"
                        + " was sent for as long. Rule of thumb: the default, or an hour where secrecy counts"
                        + " more than processor time.",
                value = "24h",
                min = "1s",
                max = "48h",
                watch = {"weir_tls_handshakes_resumed_total", "weir_tls_handshakes_total"},
                knownAs = "SSL3SessionTimeout",
                dynamic = true)
        Duration sessionTimeOut,

        @Knob(
                doc = "Whether clients are asked for a certificate (want) or must present one (need), verified against"
                        + " client-trust.",
                value = "none",
                watch = "weir_tls_handshake_failures_total",
                dynamic = true)
        ClientAuth clientAuth,

        @Knob(
                doc = "File with the certificate authorities trusted for client certificates, PEM or PKCS#12.",
                watch = "weir_tls_handshake_failures_total",
                dynamic = true)
        @Nullable
        String clientTrust,

        @Knob(
                doc = "File with the revocation lists (CRLs) of these authorities, PEM or DER. Revoked certificates"
                        + " are refused, and so are those whose authority has no valid list in the file. None:"
                        + " revocation is not checked.",
                watch = "weir_tls_handshake_failures_total",
                dynamic = true)
        @Nullable
        String clientCrl,

        @Knob(
                doc = "Handshakes that may be in progress at once on this listener, and half as many from one address"
                        + " (loopback not counted). At the limit the handshake that has waited the longest for its"
                        + " client is closed if that is 250 ms or more, otherwise the new connection is. So a flood of"
                        + " handshakes evicts no established connections, and clients that stall their handshake do not"
                        + " block others."
                        + " Raise it when handshakes are refused while processors are idle; each costs its"
                        + " buffers and a signature. Rule of thumb: the new connections of one second.",
                value = "1000",
                unit = "handshakes",
                min = "1",
                max = "1048576",
                watch = {
                    "weir_tls_handshakes_open",
                    "weir_tls_handshakes_refused_total",
                    "weir_tls_handshakes_given_up_total"
                },
                dynamic = true)
        int maxHandshakes,

        @Knob(
                doc = "How often BoringSSL's listeners get a new key for session tickets. Old keys are kept as long as"
                        + " sessions may be resumed, at most seven of them. A shorter interval limits what a stolen key"
                        + " can decrypt."
                        + " It costs nothing but older tickets when there are more than seven keys. Rule of"
                        + " thumb: the default.",
                value = "12h",
                min = "1m",
                max = "48h",
                watch = "weir_tls_tickets_total",
                dynamic = true)
        Duration ticketRotation,

        @Knob(
                doc = "File with the ticket keys of BoringSSL's listeners, 48 random bytes each, the newest first: for"
                        + " several servers that resume each other's sessions. Read again when it changes; none: keys"
                        + " are generated and rotated.",
                watch = "weir_tls_tickets_total",
                dynamic = true)
        @Nullable
        String ticketKeyFile,

        @Knob(
                doc = "How often the certificate, key, trust, revocation and ticket key files are checked for"
                        + " changes, which apply to new handshakes. 0: only on request (./weir tls reload)."
                        + " Each check costs a look at each file. Rule of thumb: the default.",
                value = "10s",
                min = "0s",
                max = "24h",
                watch = {"weir_tls_reloads_total", "weir_tls_certificate_expiry_seconds"},
                dynamic = true)
        Duration reloadInterval,

        @Knob(doc = "OCSP stapling, with BoringSSL only.", dynamic = true)
        StaplingConfig stapling) {

    /** Whether TLS is configured. */
    public boolean enabled() {
        return !certificates.isEmpty();
    }

    /** One certificate chain and its private key. */
    public record Certificate(
            @Knob(doc = "Certificate and key.", inline = true)
            CertificateFiles files,

            @Knob(
                    doc = "File with the OCSP response (DER) to staple to this certificate, kept fresh by another"
                            + " program.",
                    watch = "weir_tls_ocsp_updates_total",
                    dynamic = true)
            @Nullable
            String ocspFile) {}

    /** The section {@code stapling}. */
    public record StaplingConfig(
            @Knob(
                    doc = "Queries the responders named in the certificates before their last responses expire, and"
                            + " staples the responses. Clients then need not query the authority themselves,"
                            + " which costs them time and reveals what they visit.",
                    value = "off",
                    watch = {"weir_tls_ocsp_updates_total", "weir_tls_ocsp_stapled_total"},
                    dynamic = true)
            boolean enabled,

            @Knob(
                    doc = "URL of the responder to query instead of the one named in the certificate.",
                    watch = "weir_tls_ocsp_updates_total",
                    dynamic = true)
            @Nullable
            String responder,

            @Knob(
                    doc = "Time-out for connecting to a responder, and for its response."
                            + " Rule of thumb: the default; answers are fetched in the background.",
                    value = "5s",
                    min = "100ms",
                    max = "1m",
                    watch = "weir_tls_ocsp_updates_total",
                    dynamic = true)
            Duration timeOut,

            @Knob(
                    doc = "How long to wait after a responder failed."
                            + " Shorter finds it again sooner and asks it more often. Rule of thumb: the default.",
                    value = "5m",
                    min = "1s",
                    max = "24h",
                    watch = "weir_tls_ocsp_updates_total",
                    dynamic = true)
            Duration retry) {}

    /** The TLS implementation. */
    public enum Provider {
        AUTO,
        BORINGSSL,
        JDK
    }

    /** Whether clients must present a certificate. */
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
