package io.weir.cluster.ratis;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.weir.cluster.config.ClusterTlsConfig;
import java.nio.file.Files;
import java.nio.file.Path;

/** An authority and a member's certificate of it, for 127.0.0.1. */
final class Certificates {
    private Certificates() {}

    static ClusterTlsConfig in(Path folder, String authority) throws Exception {
        X509Bundle ca = new CertificateBuilder()
                .subject("CN=" + authority)
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        X509Bundle member = new CertificateBuilder()
                .subject("CN=member of " + authority)
                .addSanIpAddress("127.0.0.1")
                .addSanDnsName("localhost")
                .buildIssuedBy(ca);
        Path chain = Files.writeString(folder.resolve(authority + "-chain.pem"), member.getCertificatePathPEM());
        Path key = Files.writeString(folder.resolve(authority + "-key.pem"), member.getPrivateKeyPEM());
        Path trust = Files.writeString(folder.resolve(authority + "-trust.pem"), ca.getCertificatePEM());
        return new ClusterTlsConfig(chain.toString(), key.toString(), trust.toString());
    }
}
