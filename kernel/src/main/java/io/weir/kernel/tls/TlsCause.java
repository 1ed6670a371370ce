package io.weir.kernel.tls;

import io.netty.handler.ssl.NotSslRecordException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateRevokedException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Why handshakes fail, coarse enough for counter labels. */
public enum TlsCause {
    TIMEOUT,
    PLAINTEXT,
    NO_COMMON_PROTOCOL,
    NO_COMMON_CIPHER,
    /** The peer does not accept our certificate. */
    CERTIFICATE_REFUSED,
    /**
     * We do not accept the peer's certificate: it was not issued by a trusted authority, or is not valid for this use.
     */
    CERTIFICATE_INVALID,
    /** The peer sent none, or reports that we sent none. */
    CERTIFICATE_MISSING,
    /** The peer's certificate is for another name. */
    CERTIFICATE_NAME,
    CERTIFICATE_EXPIRED,
    /** Its authority revoked it, or its revocation status is unknown. */
    CERTIFICATE_REVOKED,
    /** Requested after the handshake; always rejected. */
    RENEGOTIATION,
    CLOSED,
    OTHER;

    /** The label value in counters. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Classifies the provider's exception: by class if possible, otherwise by the alert's name. */
    public static TlsCause of(Throwable failure) {
        StringBuilder messages = new StringBuilder();
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
            messages.append(t).append('\n');
        }
        String text = messages.toString().toLowerCase(Locale.ROOT).replace('_', ' ');
        return certificate ? ofCertificate(text) : ofText(text);
    }

    /** Classifies exceptions of certificate path and name checks; null for anything else. */
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
