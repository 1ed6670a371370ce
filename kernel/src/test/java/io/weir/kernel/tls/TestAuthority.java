package io.weir.kernel.tls;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.weir.base.SystemClock;
import io.weir.kernel.Configs;
import io.weir.kernel.listen.Listener;
import io.weir.kernel.listen.ListenerConfig;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/** A certificate authority that lives as long as a test. */
public final class TestAuthority {
    private final Path folder;
    private final X509Bundle root;
    private final TrustManager[] trust;
    private final Map<String, BigInteger> serials = new HashMap<>();

    public TestAuthority(Path folder) throws Exception {
        this.folder = folder;
        this.root = new CertificateBuilder()
                .subject("CN=Test authority")
                .setIsCertificateAuthority(true)
                .notAfter(soon())
                .ecp256()
                .buildSelfSigned();
        this.trust = root.toTrustManagerFactory().getTrustManagers();
        Files.writeString(folder.resolve("ca.pem"), root.getCertificatePEM());
        Files.writeString(folder.resolve("ca.key"), root.getPrivateKeyPEM());
    }

    /** TLS of a listener that has it. */
    public static ServerTls tls(Listener l) {
        return Objects.requireNonNull(l.tls());
    }

    /** The serial number of the last certificate for the name. */
    BigInteger serial(String name) {
        return Objects.requireNonNull(serials.get(name));
    }

    /** PEM file of the authority. */
    public String file() {
        return folder.resolve("ca.pem").toString();
    }

    private static Instant soon() {
        return Instant.ofEpochMilli(SystemClock.INSTANCE.millis()).plus(Duration.ofDays(90));
    }

    private static CertificateBuilder from(Instant begin, Instant end) {
        return new CertificateBuilder().notBefore(begin).notAfter(end).ecp256();
    }

    private static CertificateBuilder good() {
        return from(soon().minus(Duration.ofDays(91)), soon());
    }

    private X509Bundle issue(CertificateBuilder builder, String... names) throws Exception {
        builder.subject("CN=" + names[0]);
        for (String n : names) {
            builder.addSanDnsName(n);
        }
        X509Bundle leaf = builder.buildIssuedBy(root);
        serials.put(names[0], leaf.getCertificate().getSerialNumber());
        return leaf;
    }

    /** Two PEM files for the names. */
    public TlsConfig.Certificate pem(String... names) throws Exception {
        return pem(good(), names);
    }

    /** The same of a certificate that was over yesterday. */
    TlsConfig.Certificate expired(String name) throws Exception {
        Instant now = Instant.ofEpochMilli(SystemClock.INSTANCE.millis());
        return pem(from(now.minus(Duration.ofDays(9)), now.minus(Duration.ofDays(1))), name);
    }

    /** The same of a certificate that names an OCSP responder. */
    TlsConfig.Certificate responding(String url, String name) throws Exception {
        byte[] uri = Der.of(Der.URI_NAME, url.getBytes(StandardCharsets.US_ASCII));
        byte[] ocsp = HexFormat.of().parseHex("06082b06010505073001");
        byte[] access = Der.of(Der.SEQUENCE, Der.of(Der.SEQUENCE, ocsp, uri));
        return pem(good().addExtensionOctetString("1.3.6.1.5.5.7.1.1", false, access), name);
    }

    private TlsConfig.Certificate pem(CertificateBuilder builder, String... names) throws Exception {
        X509Bundle leaf = issue(builder, names);
        String stem = names[0].replace('*', '_');
        Path chain = Files.writeString(folder.resolve(stem + ".pem"), leaf.getCertificatePathPEM());
        Path key = Files.writeString(folder.resolve(stem + ".key"), leaf.getPrivateKeyPEM());
        return new TlsConfig.Certificate(new CertificateFiles(chain.toString(), key.toString(), null, null), null);
    }

    /** A PKCS#12 file for the names. */
    public TlsConfig.Certificate pkcs12(String password, String... names) throws Exception {
        char[] secret = password.toCharArray();
        Path file = folder.resolve(names[0] + ".p12");
        try (OutputStream out = Files.newOutputStream(file)) {
            issue(good(), names).toKeyStore("PKCS12", secret).store(out, secret);
        }
        return new TlsConfig.Certificate(new CertificateFiles(null, null, file.toString(), password), null);
    }

    /** A listener on a free port with these certificates. */
    public static ListenerConfig listener(TlsConfig.Provider provider, TlsConfig.Certificate... certificates) {
        return listener(provider, List.of(TlsConfig.Version.values()), certificates);
    }

    static ListenerConfig listener(
            TlsConfig.Provider provider, List<TlsConfig.Version> versions, TlsConfig.Certificate... certificates) {
        List<String> settings = new ArrayList<>();
        for (int i = 0; i < versions.size(); i++) {
            settings.add("tls.protocols." + i + "=" + versions.get(i).spelling());
        }
        return with(provider, settings, certificates);
    }

    /** The same with further settings, such as {@code tls.session-cache=1000}. */
    public static ListenerConfig with(
            TlsConfig.Provider provider, Collection<String> more, TlsConfig.Certificate... certificates) {
        List<String> settings = new ArrayList<>(more);
        settings.add("tls.provider=" + provider.name().toLowerCase(Locale.ROOT));
        settings.add("tls.alpn.0=http/1.1");
        for (int i = 0; i < certificates.length; i++) {
            TlsConfig.Certificate c = certificates[i];
            String at = "tls.certificates." + i + ".";
            add(settings, at + "chain-file=", c.files().chainFile());
            add(settings, at + "key-file=", c.files().keyFile());
            add(settings, at + "pkcs12=", c.files().pkcs12());
            add(settings, at + "password=", c.files().password());
            add(settings, at + "ocsp-file=", c.ocspFile());
        }
        return Configs.listener(settings.toArray(String[]::new));
    }

    private static void add(List<String> settings, String key, @Nullable String value) {
        if (value != null) {
            settings.add(key + value);
        }
    }

    /** The JDK's client context, trusting this authority. */
    public SSLContext context() throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust, null);
        return context;
    }

    /** Connects and shakes hands; the certificate must be for the name. */
    public static SSLSocket connect(SSLContext context, InetSocketAddress to, String name, String... protocols)
            throws IOException {
        Socket plain = new Socket();
        plain.connect(to, 20_000);
        plain.setSoTimeout(120_000);
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
