package io.weir.kernel.tls;

import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.List;

/**
 * A certificate that somebody shows, for monitoring and administration. Immutable.
 *
 * @param owner the listener's name, or the section of the configuration
 * @param place the file that it is from
 * @param names DNS names that it is for
 * @param issuer the distinguished name of who vouches for it (RFC 2253)
 * @param serial its serial number, hexadecimal
 * @param key kind and size of its key, such as {@code EC 256}
 * @param notAfter when it expires, milliseconds since the epoch
 * @param stapling whether OCSP answers are shown with it
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
     * @param on whether answers are looked for
     * @param until until when the one that is shown is good, milliseconds since the epoch; 0: none is shown
     * @param failure why there is no newer one; empty when the last one could be had
     */
    public record Stapling(boolean on, long until, String failure) {
        static final Stapling OFF = new Stapling(false, 0, "");

        /** In a word: off, good, none, or old where there is no newer one. */
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

    /** Kind and, where it says something, size in bits. */
    static String keyOf(PublicKey key) {
        return switch (key) {
            case RSAPublicKey rsa -> "RSA " + rsa.getModulus().bitLength();
            case ECPublicKey ec -> "EC " + ec.getParams().getOrder().bitLength();
            default -> key.getAlgorithm();
        };
    }
}
