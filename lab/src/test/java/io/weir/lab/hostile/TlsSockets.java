package io.weir.lab.hostile;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** A certificate that openssl made, and sockets on which HTTP/2 is agreed with who has it. Immutable. */
final class TlsSockets {
    final Path chain;
    final Path key;
    private final SSLContext context;

    TlsSockets(Path folder) throws IOException, GeneralSecurityException, InterruptedException {
        chain = folder.resolve("chain.pem");
        key = folder.resolve("key.pem");
        Process openssl = new ProcessBuilder(List.of(
                        "openssl",
                        "req",
                        "-x509",
                        "-nodes",
                        "-newkey",
                        "ec",
                        "-pkeyopt",
                        "ec_paramgen_curve:P-256",
                        "-subj",
                        "/CN=a.test",
                        "-keyout",
                        key.toString(),
                        "-out",
                        chain.toString()))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("openssl.log").toFile())
                .start();
        if (!openssl.waitFor(300, TimeUnit.SECONDS) || openssl.exitValue() != 0) {
            throw new IOException(Files.readString(folder.resolve("openssl.log")));
        }
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        try (InputStream in = Files.newInputStream(chain)) {
            trusted.setCertificateEntry(
                    "weir", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
    }

    SSLSocket to(int port) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }
}
