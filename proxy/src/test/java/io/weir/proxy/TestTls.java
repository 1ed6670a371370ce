package io.weir.proxy;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.weir.kernel.listen.Listener;
import io.weir.kernel.listen.ListenerConfig;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * An authority, a certificate for localhost, and clients that trust it. Immutable.
 *
 * @param folder with ca.pem, l.pem and l.key
 */
record TestTls(Path folder, X509Bundle root, X509Bundle leaf) {
    static TestTls in(Path folder) throws Exception {
        X509Bundle root = new CertificateBuilder()
                .subject("CN=Test authority")
                .setIsCertificateAuthority(true)
                .ecp256()
                .buildSelfSigned();
        X509Bundle leaf = new CertificateBuilder()
                .subject("CN=localhost")
                .ecp256()
                .addSanDnsName("localhost")
                .buildIssuedBy(root);
        Files.writeString(folder.resolve("ca.pem"), root.getCertificatePEM());
        Files.writeString(folder.resolve("l.pem"), leaf.getCertificatePathPEM());
        Files.writeString(folder.resolve("l.key"), leaf.getPrivateKeyPEM());
        return new TestTls(folder, root, leaf);
    }

    /** A listener with TLS beside the proxy's own. */
    Listener listener(TestProxy proxy) throws Exception {
        ListenerConfig config = TestProxy.bind(
                ListenerConfig.class,
                "port=0",
                "tls.certificates.0.chain-file=" + folder.resolve("l.pem"),
                "tls.certificates.0.key-file=" + folder.resolve("l.key"));
        return proxy.kernel.open("https", config, proxy.proxy);
    }

    /** A connection on which this protocol was agreed on. */
    Socket connect(Listener listener, String protocol) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, root.toTrustManagerFactory().getTrustManagers(), null);
        int port = listener.address().getPort();
        Socket plain = new Socket(InetAddress.getLoopbackAddress(), port);
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain, "localhost", port, true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {protocol});
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }
}
