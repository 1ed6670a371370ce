package io.weir.kernel.tls;

import io.netty.handler.ssl.NotSslRecordException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateRevokedException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Why handshakes fail, as few words as counters need. */
public enum TlsCause {
    TIMEOUT,
    PLAINTEXT,
    NO_COMMON_PROTOCOL,
    NO_COMMON_CIPHER,
    /** The peer does not accept our certificate. */
    CERTIFICATE_REFUSED,
    /** We do not accept the peer's certificate: no trusted authority issued it, or it is not valid for this use. */
    CERTIFICATE_INVALID,
    /** The peer showed none, or the peer says that we did not. */
    CERTIFICATE_MISSING,
    /** The peer's certificate is for another name. */
    CERTIFICATE_NAME,
    CERTIFICATE_EXPIRED,
    /** Its authority revoked it, or does not say that it did not. */
    CERTIFICATE_REVOKED,
    /** Asked for after the handshake; never granted. */
    RENEGOTIATION,
    CLOSED,
    OTHER;

    /** The label value in counters. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Reads it from what the provider threw: classes where there are some, otherwise the alert's name. */
    public static TlsCause of(Throwable failure) {
        StringBuilder said = new StringBuilder();
        boolean certificate = false;
        for (Throwable t = failure; t != null; t = t.getCause()) {
            TlsCause cause = ofPath(t);
            if (cause != null) {
                return cause;
            }
            if (t instanceof NotSslRecordException) {
                return PLAINTEXT;
            }
            if (t instanceof ClosedChannelException) {
                return CLOSED;
            }
            certificate |= t instanceof CertificateException;
            said.append(t).append('\n');
        }
        String text = said.toString().toLowerCase(Locale.ROOT).replace('_', ' ');
        return certificate ? ofCertificate(text) : ofText(text);
    }

    /** What the checks of certificate chains and names throw; null for anything else. */
    private static @Nullable TlsCause ofPath(Throwable t) {
        if (t instanceof CertificateExpiredException) {
            return CERTIFICATE_EXPIRED;
        }
        if (t instanceof CertificateRevokedException) {
            return CERTIFICATE_REVOKED;
        }
        if (t instanceof CertPathValidatorException path) {
            if (path.getReason() == CertPathValidatorException.BasicReason.EXPIRED) {
                return CERTIFICATE_EXPIRED;
            }
            if (path.getReason() == CertPathValidatorException.BasicReason.REVOKED
                    || path.getReason() == CertPathValidatorException.BasicReason.UNDETERMINED_REVOCATION_STATUS) {
                return CERTIFICATE_REVOKED;
            }
        }
        return null;
    }

    private static TlsCause ofCertificate(String said) {
        boolean name = said.contains("no name matching") || said.contains("no subject alternative");
        return name ? CERTIFICATE_NAME : CERTIFICATE_INVALID;
    }

    private static TlsCause ofText(String said) {
        if (said.contains("peer did not return")
                || said.contains("certificate required")
                || (said.contains("empty") && said.contains("certificate chain"))
                || said.contains("null cert chain")) {
            return CERTIFICATE_MISSING;
        }
        if (said.contains("alert") && (said.contains("certificate") || said.contains("unknown ca"))) {
            return CERTIFICATE_REFUSED;
        }
        if (said.contains("http request") || said.contains("wrong version number")) {
            return PLAINTEXT;
        }
        if (said.contains("unsupported protocol")
                || said.contains("protocol version")
                || said.contains("not enabled or supported")
                || said.contains("no supported versions")
                || said.contains("not accepted by client preferences")) {
            return NO_COMMON_PROTOCOL;
        }
        if (said.contains("no shared cipher")
                || said.contains("cipher suites in common")
                || said.contains("handshake failure")) {
            return NO_COMMON_CIPHER;
        }
        if (said.contains("renegotiation")) {
            return RENEGOTIATION;
        }
        if (said.contains("certificate") || said.contains("pkix")) {
            return ofCertificate(said);
        }
        return said.contains("closed") || said.contains("connection reset") ? CLOSED : OTHER;
    }
}
