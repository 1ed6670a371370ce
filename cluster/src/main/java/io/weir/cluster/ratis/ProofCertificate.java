package io.weir.cluster.ratis;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import javax.security.auth.x500.X500Principal;

/**
 * Creates the certificate of a key that lives as long as a member's log is open: TLS requires certificates, and the JDK
 * cannot create them. DER as in RFC 5280, section 4.1, without extensions. Stateless.
 */
final class ProofCertificate {
    private static final int SEQUENCE = 0x30;
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int NULL = 0x05;
    private static final int OBJECT = 0x06;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int UTC_TIME = 0x17;
    private static final int VERSION = 0xa0;
    private static final byte[] NO_BYTES = {};

    private ProofCertificate() {}

    /**
     * Creates a certificate that binds the key to the subject.
     *
     * @param by the signing private key
     * @param issuer name of the owner of the signing key
     */
    static X509Certificate of(PublicKey key, X500Principal subject, PrivateKey by, X500Principal issuer)
            throws GeneralSecurityException {
        String name = algorithm(by);
        byte[] algorithm = identifier(name);
        byte[] body = tag(
                SEQUENCE,
                tag(VERSION, tag(INTEGER, new byte[] {2})),
                tag(INTEGER, BigInteger.ONE.toByteArray()),
                algorithm,
                issuer.getEncoded(),
                // It is used only while the process lives, so it needs no dates from a clock.
                tag(SEQUENCE, time(UTC_TIME, "700101000000Z"), time(GENERALIZED_TIME, "99991231235959Z")),
                subject.getEncoded(),
                key.getEncoded());
        Signature signature = Signature.getInstance(name);
        signature.initSign(by);
        signature.update(body);
        byte[] whole = tag(SEQUENCE, body, algorithm, tag(BIT_STRING, new byte[1], signature.sign()));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(whole));
    }

    private static String algorithm(PrivateKey key) throws GeneralSecurityException {
        return switch (key.getAlgorithm()) {
            case "EC" -> "SHA256withECDSA";
            case "RSA" -> "SHA256withRSA";
            case "EdDSA", "Ed25519" -> "Ed25519";
            default ->
                throw new GeneralSecurityException("a key of type " + key.getAlgorithm()
                        + " cannot be used in cluster.tls together with a secret: use EC, RSA or Ed25519");
        };
    }

    /** RFC 5758, RFC 4055, RFC 8410. */
    private static byte[] identifier(String algorithm) {
        return switch (algorithm) {
            case "SHA256withECDSA" -> tag(SEQUENCE, object(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
            case "SHA256withRSA" ->
                tag(SEQUENCE, object(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b), tag(NULL, NO_BYTES));
            default -> tag(SEQUENCE, object(0x2b, 0x65, 0x70));
        };
    }

    private static byte[] object(int... bytes) {
        byte[] content = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            content[i] = (byte) bytes[i];
        }
        return tag(OBJECT, content);
    }

    private static byte[] time(int kind, String text) {
        return tag(kind, text.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] tag(int tag, byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(length + 6);
        out.write(tag);
        if (length < 0x80) {
            out.write(length);
        } else {
            byte[] bytes = BigInteger.valueOf(length).toByteArray();
            int skip = bytes[0] == 0 ? 1 : 0;
            out.write(0x80 | (bytes.length - skip));
            out.write(bytes, skip, bytes.length - skip);
        }
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
