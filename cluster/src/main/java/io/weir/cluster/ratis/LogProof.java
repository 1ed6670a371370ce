package io.weir.cluster.ratis;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.UUID;
import javax.crypto.KDF;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import javax.security.auth.x500.X500Principal;

/**
 * Proves that a public key belongs to a member: the certificate's subject contains a MAC of the key that only a holder
 * of the cluster's secret can compute. TLS then proves for each connection, by a signature over fresh random values of
 * both ends, that the peer has the private key, so that recordings cannot be replayed. Shared; immutable.
 */
final class LogProof {
    private static final String MAC = "HmacSHA256";
    private static final String FORM = "CN=weir member, OU=";
    /** Each guess of the secret costs an attacker about 50 ms, which a member spends once. */
    private static final int ITERATIONS = 100_000;

    private static final int KEY_BITS = 256;

    /** The key that was derived last. A member whose log cannot be opened tries again and again, always with the same. */
    private static Derived last = new Derived("", new UUID(0, 0), new SecretKeySpec(new byte[1], MAC));

    private final SecretKeySpec key;

    private record Derived(String secret, UUID cluster, SecretKeySpec key) {
        @Override
        public String toString() {
            return "derived for " + cluster;
        }
    }

    private LogProof(SecretKeySpec key) {
        this.key = key;
    }

    /**
     * Slow by design, unless it is called again with the same.
     *
     * @param cluster identifier of the cluster: two clusters with the same secret do not accept each other
     */
    static LogProof of(String secret, UUID cluster) {
        return new LogProof(derived(secret, cluster));
    }

    /** One at a time, since who waits mostly needs the same key. */
    private static synchronized SecretKeySpec derived(String secret, UUID cluster) {
        if (!last.secret().equals(secret) || !last.cluster().equals(cluster)) {
            last = new Derived(secret, cluster, derive(secret, cluster));
        }
        return last.key();
    }

    /**
     * Fast, for a secret that nobody can guess: at least 16 random bytes.
     *
     * @param cluster as above
     */
    static LogProof ofRandom(String secret, UUID cluster) {
        try {
            return new LogProof(new SecretKeySpec(
                    KDF.getInstance("HKDF-SHA256")
                            .deriveData(HKDFParameterSpec.ofExtract()
                                    .addIKM(secret.getBytes(StandardCharsets.UTF_8))
                                    .addSalt(salt(cluster))
                                    .thenExpand(null, KEY_BITS / Byte.SIZE)),
                    MAC));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has these", e);
        }
    }

    private static byte[] salt(UUID cluster) {
        ByteBuffer salt = ByteBuffer.allocate(64);
        salt.put("weir: the members' log\0".getBytes(StandardCharsets.UTF_8));
        salt.putLong(cluster.getMostSignificantBits()).putLong(cluster.getLeastSignificantBits());
        return salt.array();
    }

    private static SecretKeySpec derive(String secret, UUID cluster) {
        try {
            byte[] made = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(new PBEKeySpec(secret.toCharArray(), salt(cluster), ITERATIONS, KEY_BITS))
                    .getEncoded();
            return new SecretKeySpec(made, MAC);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has these", e);
        }
    }

    /** The subject name of a member's key. */
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

    /** Refuses a certificate whose key does not belong to a member. */
    void check(X509Certificate certificate) throws UntrustedPeerFault {
        X500Principal shown = certificate.getSubjectX500Principal();
        if (MessageDigest.isEqual(
                shown.getEncoded(), name(certificate.getPublicKey()).getEncoded())) {
            return;
        }
        boolean form = shown.getName(X500Principal.RFC2253).matches("CN=weir member,OU=[0-9a-f]{64}");
        throw new UntrustedPeerFault(form ? PeerRefusal.WRONG_SECRET : PeerRefusal.NO_PROOF, null);
    }
}
