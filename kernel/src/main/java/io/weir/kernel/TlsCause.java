package io.weir.kernel;

import io.netty.handler.ssl.NotSslRecordException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertificateException;
import java.util.Locale;

/** Why handshakes fail, as few words as counters need. */
public enum TlsCause {
    TIMEOUT,
    PLAINTEXT,
    NO_COMMON_PROTOCOL,
    NO_COMMON_CIPHER,
    /** The peer does not accept our certificate. */
    CERTIFICATE_REFUSED,
    /** We do not accept the peer's certificate, or it showed none. */
    CERTIFICATE_INVALID,
    CLOSED,
    OTHER;

    /** The label value in counters. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Reads it from what the provider threw: classes where there are some, otherwise the alert's name. */
    public static TlsCause of(Throwable failure) {
        StringBuilder said = new StringBuilder();
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (t instanceof NotSslRecordException) {
                return PLAINTEXT;
            }
            if (t instanceof ClosedChannelException) {
                return CLOSED;
            }
            if (t instanceof CertificateException) {
                return CERTIFICATE_INVALID;
            }
            said.append(t).append('\n');
        }
        return ofText(said.toString().toLowerCase(Locale.ROOT).replace('_', ' '));
    }

    private static TlsCause ofText(String said) {
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
        if (said.contains("certificate") || said.contains("pkix") || said.contains("peer did not return")) {
            return CERTIFICATE_INVALID;
        }
        return said.contains("closed") || said.contains("connection reset") ? CLOSED : OTHER;
    }
}
