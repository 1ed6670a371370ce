package io.weir.kernel.tls;

import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.List;

/**
 * A certificate in use, for monitoring and administration. Immutable.
 *
 * @param owner the listener's name, or the configuration section
 * @param place the file that it was loaded from
 * @param names its DNS names
 * @param issuer the issuer's distinguished name (RFC 2253)
 * @param serial its serial number, hexadecimal
 * @param key kind and size of its key, such as {@code EC 256}
 * @param notAfter when it expires, milliseconds since the epoch
 * @param stapling whether OCSP responses are stapled
 */
public record CertificateReport(
        String owner,
        String place,
        List<String> names,
        String issuer,
        String serial,
        String key,
        long notAfter,
        Stapling stapling) {

    /**
     * The state of stapling.
     *
     * @param on whether responses are obtained
     * @param until until when the stapled response is valid, milliseconds since the epoch; 0 if none is stapled
     * @param failure why there is no newer one; empty if the last update succeeded
     */
    public record Stapling(boolean on, long until, String failure) {
        static final Stapling OFF = new Stapling(false, 0, "");

        /** The state in one word: off, good, none, or old if the last update failed. */
        public String word() {
            if (!on) {
                return "off";
            }
            String shown = failure.isEmpty() ? "good" : "old";
            return until == 0 ? "none" : shown;
        }
    }

    static CertificateReport of(String owner, String place, X509Certificate leaf, Stapling stapling) {
        return new CertificateReport(
                owner,
                place,
                KeyMaterial.namesOf(leaf),
                leaf.getIssuerX500Principal().getName(),
                leaf.getSerialNumber().toString(16),
                keyOf(leaf.getPublicKey()),
                leaf.getNotAfter().toInstant().toEpochMilli(),
                stapling);
    }

    /** The algorithm and, where meaningful, the size in bits. */
    static String keyOf(PublicKey key) {
        return switch (key) {
            case RSAPublicKey rsa -> "RSA " + rsa.getModulus().bitLength();
            case ECPublicKey ec -> "EC " + ec.getParams().getOrder().bitLength();
            default -> key.getAlgorithm();
        };
    }
}
