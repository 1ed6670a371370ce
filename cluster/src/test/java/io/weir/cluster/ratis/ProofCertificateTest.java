package io.weir.cluster.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SignatureException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.UUID;
import javax.security.auth.x500.X500Principal;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The certificate that names a member's key, signed by each kind of key that people have. */
@Tag("slow")
final class ProofCertificateTest {
    private final LogProof proof = LogProof.of("a secret", UUID.randomUUID());

    @ParameterizedTest
    @ValueSource(strings = {"EC", "RSA", "Ed25519"})
    void itIsSignedByAnyKindOfKeyAndNamesItsOwn(String kind) throws Exception {
        KeyPair signer = pair(kind);
        KeyPair own = KeyPairGenerator.getInstance("EC").generateKeyPair();
        X500Principal issuer = new X500Principal("CN=alpha, O=Müller & Töchter");
        X509Certificate made =
                ProofCertificate.of(own.getPublic(), proof.name(own.getPublic()), signer.getPrivate(), issuer);
        made.verify(signer.getPublic());
        made.checkValidity();
        proof.check(made);
        assertThat(made.getPublicKey()).isEqualTo(own.getPublic());
        assertThat(made.getIssuerX500Principal()).isEqualTo(issuer);
        KeyPair other = pair(kind);
        assertThatThrownBy(() -> made.verify(other.getPublic())).isInstanceOf(SignatureException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"another secret", "a secret"})
    void theNameIsOfNoOtherSecretAndOfNoOtherCluster(String secret) throws Exception {
        KeyPair own = KeyPairGenerator.getInstance("EC").generateKeyPair();
        LogProof other = LogProof.of(secret, UUID.randomUUID());
        X509Certificate made = ProofCertificate.of(
                own.getPublic(), other.name(own.getPublic()), own.getPrivate(), other.name(own.getPublic()));
        assertThatThrownBy(() -> proof.check(made))
                .isInstanceOfSatisfying(
                        UntrustedPeerFault.class, f -> assertThat(f.why()).isEqualTo(PeerRefusal.WRONG_SECRET));
        KeyPair another = KeyPairGenerator.getInstance("EC").generateKeyPair();
        X509Certificate moved = ProofCertificate.of(
                another.getPublic(), proof.name(own.getPublic()), own.getPrivate(), proof.name(own.getPublic()));
        assertThatThrownBy(() -> proof.check(moved)).as("another's name").isInstanceOf(UntrustedPeerFault.class);
    }

    @Test
    void aRandomSecretGivesTheSameProofToAllThatHaveItAndToNobodyElse() throws Exception {
        KeyPair own = KeyPairGenerator.getInstance("EC").generateKeyPair();
        UUID cluster = UUID.randomUUID();
        LogProof one = LogProof.ofRandom("00112233445566778899aabbccddeeff", cluster);
        X500Principal name = one.name(own.getPublic());
        assertThat(LogProof.ofRandom("00112233445566778899aabbccddeeff", cluster)
                        .name(own.getPublic()))
                .isEqualTo(name);
        assertThat(List.of(
                        LogProof.ofRandom("00112233445566778899aabbccddeefe", cluster),
                        LogProof.ofRandom("00112233445566778899aabbccddeeff", UUID.randomUUID()),
                        LogProof.of("00112233445566778899aabbccddeeff", cluster)))
                .noneMatch(other -> other.name(own.getPublic()).equals(name));
    }

    private static KeyPair pair(String kind) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(kind);
        if (kind.equals("RSA")) {
            // the default takes seconds to find its primes
            generator.initialize(2048);
        }
        return generator.generateKeyPair();
    }
}
