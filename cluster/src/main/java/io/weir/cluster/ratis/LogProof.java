package io.weir.cluster.ratis;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import javax.security.auth.x500.X500Principal;

/**
 * Proves that a public key is a member's: the key is named, as a certificate's subject, by a code that only who has the
 * cluster's secret can make. TLS then proves for each connection anew, by a signature over what both ends have just drawn by
 * lot, that the peer has the private key: a recording of either is worth nothing. Shared; immutable.
 */
final class LogProof {
    private static final String MAC = "HmacSHA256";
    private static final String FORM = "CN=weir member, OU=";
    /** A guess of the secret costs an attacker as much as it costs a member once: about a twentieth of a second. */
    private static final int ITERATIONS = 100_000;

    private static final int KEY_BITS = 256;

    private final SecretKeySpec key;

    /**
     * Takes a while, by design.
     *
     * @param cluster which cluster: two with the same secret are strangers to each other
     */
    LogProof(String secret, UUID cluster) {
        ByteBuffer salt = ByteBuffer.allocate(64);
        salt.put("weir: the members' log\0".getBytes(StandardCharsets.UTF_8));
        salt.putLong(cluster.getMostSignificantBits()).putLong(cluster.getLeastSignificantBits());
        try {
            byte[] made = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(new PBEKeySpec(secret.toCharArray(), salt.array(), ITERATIONS, KEY_BITS))
                    .getEncoded();
            key = new SecretKeySpec(made, MAC);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has these", e);
        }
    }

    /** What a member's key is called. */
    X500Principal name(PublicKey of) {
        return new X500Principal(FORM + HexFormat.of().formatHex(code(of)));
    }

    private byte[] code(PublicKey of) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(key);
            return mac.doFinal(of.getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has these", e);
        }
    }

    /** Refuses a certificate whose key is not a member's. */
    void check(X509Certificate certificate) throws StrangerFault {
        X500Principal shown = certificate.getSubjectX500Principal();
        if (MessageDigest.isEqual(
                shown.getEncoded(), name(certificate.getPublicKey()).getEncoded())) {
            return;
        }
        boolean form = shown.getName(X500Principal.RFC2253).matches("CN=weir member,OU=[0-9a-f]{64}");
        throw new StrangerFault(form ? Stranger.WRONG_SECRET : Stranger.NO_PROOF, null);
    }
}
