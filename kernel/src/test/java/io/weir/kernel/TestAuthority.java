package io.weir.kernel;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** A certificate authority that lives as long as a test. */
public final class TestAuthority {
    private final Path folder;
    private final X509Bundle root;

    public TestAuthority(Path folder) throws Exception {
        this.folder = folder;
        this.root = new CertificateBuilder()
                .subject("CN=Test authority")
                .setIsCertificateAuthority(true)
                .ecp256()
                .buildSelfSigned();
        Files.writeString(folder.resolve("ca.pem"), root.getCertificatePEM());
    }

    /** PEM file of the authority. */
    public String file() {
        return folder.resolve("ca.pem").toString();
    }

    private X509Bundle issue(String... names) throws Exception {
        CertificateBuilder builder =
                new CertificateBuilder().subject("CN=" + names[0]).ecp256();
        for (String n : names) {
            builder.addSanDnsName(n);
        }
        return builder.buildIssuedBy(root);
    }

    /** Two PEM files for the names. */
    public TlsConfig.Certificate pem(String... names) throws Exception {
        X509Bundle leaf = issue(names);
        String stem = names[0].replace('*', '_');
        Path chain = Files.writeString(folder.resolve(stem + ".pem"), leaf.getCertificatePathPEM());
        Path key = Files.writeString(folder.resolve(stem + ".key"), leaf.getPrivateKeyPEM());
        return new TlsConfig.Certificate(chain.toString(), key.toString(), null, null);
    }

    /** A PKCS#12 file for the names. */
    public TlsConfig.Certificate pkcs12(String password, String... names) throws Exception {
        char[] secret = password.toCharArray();
        Path file = folder.resolve(names[0] + ".p12");
        try (OutputStream out = Files.newOutputStream(file)) {
            issue(names).toKeyStore("PKCS12", secret).store(out, secret);
        }
        return new TlsConfig.Certificate(null, null, file.toString(), password);
    }

    /** A listener on a free port with these certificates. */
    public static ListenerConfig listener(TlsConfig.Provider provider, TlsConfig.Certificate... certificates) {
        return listener(provider, List.of(TlsConfig.Version.values()), certificates);
    }

    static ListenerConfig listener(
            TlsConfig.Provider provider, List<TlsConfig.Version> versions, TlsConfig.Certificate... certificates) {
        ListenerConfig plain = Configs.listener();
        TlsConfig tls = new TlsConfig(
                List.of(certificates),
                provider,
                versions,
                List.of(),
                List.of("http/1.1"),
                1000,
                Duration.ofHours(1),
                TlsConfig.ClientAuth.NONE,
                null);
        return new ListenerConfig(
                plain.address(),
                plain.port(),
                plain.protocol(),
                plain.backlog(),
                plain.acceptors(),
                plain.sendBuffer(),
                plain.receiveBuffer(),
                plain.virtualServer(),
                tls);
    }

    /** The JDK's client context, trusting this authority. */
    SSLContext context() throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, root.toTrustManagerFactory().getTrustManagers(), null);
        return context;
    }

    /** Connects and shakes hands; the certificate must be for the name. */
    static SSLSocket connect(SSLContext context, InetSocketAddress to, String name, String... protocols)
            throws IOException {
        Socket plain = new Socket();
        plain.connect(to, 20_000);
        plain.setSoTimeout(20_000);
        SSLSocket s = (SSLSocket) context.getSocketFactory().createSocket(plain, name, to.getPort(), true);
        SSLParameters p = s.getSSLParameters();
        p.setServerNames(List.of(new SNIHostName(name)));
        p.setEndpointIdentificationAlgorithm("HTTPS");
        p.setApplicationProtocols(new String[] {"h3", "http/1.1"});
        if (protocols.length > 0) {
            p.setProtocols(protocols);
        }
        s.setSSLParameters(p);
        s.startHandshake();
        return s;
    }
}
