package io.weir.cluster.ratis;

import io.weir.cluster.config.ClusterTlsConfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.security.auth.x500.X500Principal;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslProvider;
import org.jspecify.annotations.Nullable;

/**
 * TLS between the logs of members with a secret: each generates a key when its log opens, whose certificate contains a
 * MAC made with the secret, and which is signed with the member's certificate if the cluster has certificates, so that
 * a peer needs both. Stateless.
 */
final class ProofTls {
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

    private ProofTls() {}

    /** What a TLS context is made of. */
    record Managers(X509ExtendedKeyManager keys, X509ExtendedTrustManager trust) {}

    static GrpcTlsConfig of(ClusterTlsConfig files, LogProof proof, RefusedPeers refusedPeers) throws IOException {
        Managers managers = managers(files, proof, refusedPeers);
        return GrpcTlsConfig.newBuilder()
                .setKeyManager(managers.keys())
                .setTrustManager(managers.trust())
                .setMutualTls(true)
                // The JDK's provider passes the whole chain to its trust manager; TLS 1.3 always authenticates the
                // client in the handshake.
                .setSslProvider(SslProvider.JDK)
                .setProtocols("TLSv1.3")
                .build();
    }

    /** Generates a key that carries the proof. */
    static Managers managers(ClusterTlsConfig files, LogProof proof, RefusedPeers refusedPeers) throws IOException {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair pair = generator.generateKeyPair();
            X500Principal name = proof.name(pair.getPublic());
            List<X509Certificate> chain = new ArrayList<>();
            X509ExtendedTrustManager authorities = null;
            if (files.enabled()) {
                List<X509Certificate> own = certificates(files.chainFile());
                PrivateKey by = key(files.keyFile());
                chain.add(ProofCertificate.of(
                        pair.getPublic(), name, by, own.getFirst().getSubjectX500Principal()));
                chain.addAll(own);
                authorities = authorities(files.trustFile());
            } else {
                chain.add(ProofCertificate.of(pair.getPublic(), name, pair.getPrivate(), name));
            }
            return new Managers(
                    new ProofKeys(pair.getPrivate(), chain), new ProofTrust(proof, authorities, refusedPeers));
        } catch (GeneralSecurityException e) {
            throw unusable(e);
        }
    }

    /** Certificates only. */
    static Managers authorities(ClusterTlsConfig files) throws IOException {
        try {
            return new Managers(
                    new ProofKeys(key(files.keyFile()), certificates(files.chainFile())),
                    authorities(files.trustFile()));
        } catch (GeneralSecurityException e) {
            throw unusable(e);
        }
    }

    static IOException unusable(GeneralSecurityException e) {
        return new IOException("cluster.tls cannot be used: " + e.getMessage(), e);
    }

    static List<X509Certificate> certificates(@Nullable String file) throws IOException {
        try (InputStream in = Files.newInputStream(path(file))) {
            List<X509Certificate> all = new ArrayList<>();
            for (Certificate c : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                all.add((X509Certificate) c);
            }
            if (all.isEmpty()) {
                throw new IOException("no certificate in " + file);
            }
            return all;
        } catch (GeneralSecurityException e) {
            throw new IOException("the certificates in " + file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static Path path(@Nullable String file) {
        return Path.of(Objects.requireNonNull(file));
    }

    private static X509ExtendedTrustManager authorities(@Nullable String file)
            throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        for (X509Certificate c : certificates(file)) {
            store.setCertificateEntry("authority " + store.size(), c);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(store);
        for (TrustManager m : factory.getTrustManagers()) {
            if (m instanceof X509ExtendedTrustManager x) {
                return x;
            }
        }
        throw new GeneralSecurityException("no trust manager for X.509");
    }

    static PrivateKey key(@Nullable String file) throws IOException, GeneralSecurityException {
        Matcher found = KEY.matcher(Files.readString(path(file)));
        if (!found.find()) {
            throw new IOException("no private key (PKCS#8, PEM: BEGIN PRIVATE KEY) in " + file);
        }
        PKCS8EncodedKeySpec spec =
                new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(found.group(1)));
        InvalidKeySpecException last = null;
        for (String algorithm : new String[] {"EC", "RSA", "Ed25519"}) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (InvalidKeySpecException e) {
                last = e;
            }
        }
        throw new IOException("the private key in " + file + " is neither EC nor RSA nor Ed25519", last);
    }
}
