package io.weir.cluster.ratis;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.cluster.config.ClusterTlsConfig;
import java.net.Socket;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslProvider;
import org.jspecify.annotations.Nullable;

/** What somebody may show at a member's log; whoever shows these believes everything that the member shows. */
final class Papers {
    private Papers() {}

    /** A member's own, of this secret. */
    static GrpcTlsConfig proof(LogAccess access, UUID cluster) throws Exception {
        LogProof proof = LogProof.of(String.valueOf(access.secret()), cluster);
        GrpcTlsConfig strict = ProofTls.of(access.tls(), proof, new RefusedPeers(new Stats(), Log.NONE));
        return shown((X509ExtendedKeyManager) strict.getKeyManager().getKeyManager());
    }

    /** TLS, and no certificate. */
    static GrpcTlsConfig nothing() {
        return shown(new ProofKeys(pair().getPrivate(), List.of()) {
            @Override
            public @Nullable String chooseEngineClientAlias(
                    String[] keyTypes, Principal @Nullable [] issuers, SSLEngine engine) {
                return null;
            }
        });
    }

    /** A certificate of the cluster's authorities, without the secret. */
    static GrpcTlsConfig certificate(ClusterTlsConfig files) throws Exception {
        return shown(new ProofKeys(ProofTls.key(files.keyFile()), ProofTls.certificates(files.chainFile())));
    }

    /** A certificate as anybody can make it. */
    static GrpcTlsConfig homemade() throws Exception {
        X509Bundle bundle = new CertificateBuilder()
                .subject("CN=weir member")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        return shown(new ProofKeys(bundle.getKeyPair().getPrivate(), List.of(bundle.getCertificate())));
    }

    /** A member's certificate, without its key. */
    static GrpcTlsConfig stolen(LogAccess access, UUID cluster) throws Exception {
        KeyPair members = pair();
        LogProof proof = LogProof.of(String.valueOf(access.secret()), cluster);
        X509Certificate certificate = ProofCertificate.of(
                members.getPublic(),
                proof.name(members.getPublic()),
                members.getPrivate(),
                proof.name(members.getPublic()));
        PrivateKey another = pair().getPrivate();
        return shown(new ProofKeys(another, List.of(certificate)));
    }

    /** A proof of the secret beside a member's certificate, whose key did not sign it. */
    static GrpcTlsConfig borrowed(LogAccess access, UUID cluster) throws Exception {
        KeyPair own = pair();
        LogProof proof = LogProof.of(String.valueOf(access.secret()), cluster);
        List<X509Certificate> chain = new ArrayList<>();
        List<X509Certificate> members = ProofTls.certificates(access.tls().chainFile());
        chain.add(ProofCertificate.of(
                own.getPublic(),
                proof.name(own.getPublic()),
                own.getPrivate(),
                members.getFirst().getSubjectX500Principal()));
        chain.addAll(members);
        return shown(new ProofKeys(own.getPrivate(), chain));
    }

    private static KeyPair pair() {
        try {
            return KeyPairGenerator.getInstance("EC").generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    static GrpcTlsConfig shown(X509ExtendedKeyManager keys) {
        return GrpcTlsConfig.newBuilder()
                .setKeyManager(keys)
                .setTrustManager(new Credulous())
                .setMutualTls(true)
                .setSslProvider(SslProvider.JDK)
                .setProtocols("TLSv1.3")
                .build();
    }

    /** Believes everything. */
    static final class Credulous extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
