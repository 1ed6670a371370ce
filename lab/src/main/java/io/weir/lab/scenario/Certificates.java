package io.weir.lab.scenario;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * A self-signed certificate for localhost, 127.0.0.1, www.example.com and origin.example.com, created once for each
 * run, as PEM files for the server and as a TLS context for scripted clients and origins. Immutable.
 */
public final class Certificates {
    private static final char[] PASSWORD = "scenario".toCharArray();
    private final SSLContext context;
    private final SSLContext anonymous;
    private final Path certificate;
    private final Path key;

    private Certificates(SSLContext context, SSLContext anonymous, Path certificate, Path key) {
        this.context = context;
        this.anonymous = anonymous;
        this.certificate = certificate;
        this.key = key;
    }

    /** Creates key and certificate below {@code folder}. */
    public static Certificates in(Path folder) {
        try {
            Files.createDirectories(folder);
            Path store = folder.resolve("scenario.p12");
            if (!Files.exists(store)) {
                generate(store);
            }
            KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD);
            Path certificate = pem(
                    folder.resolve("certificate.pem"),
                    "CERTIFICATE",
                    certificate(keys).getEncoded());
            trust(folder.resolve("trust.p12"), keys);
            Path key = pem(
                    folder.resolve("key.pem"),
                    "PRIVATE KEY",
                    keys.getKey("weir", PASSWORD).getEncoded());
            return new Certificates(context(keys), context(null), certificate, key);
        } catch (IOException | GeneralSecurityException e) {
            throw new ScenarioFailure("cannot make the certificate", e);
        }
    }

    public Map<String, String> variables() {
        return Map.of(
                "certificate", certificate.toString(),
                "key", key.toString(),
                "crl", certificate.resolveSibling("crl.pem").toString(),
                "tickets", certificate.resolveSibling("tickets.key").toString(),
                "pkcs12", certificate.resolveSibling("scenario.p12").toString(),
                "trust", certificate.resolveSibling("trust.p12").toString(),
                "password", new String(PASSWORD));
    }

    private static void generate(Path store) throws IOException {
        keytool(
                store,
                "-genkeypair",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-validity",
                "3650",
                "-dname",
                "CN=localhost, OU=partners",
                "-ext",
                "san=dns:localhost,dns:www.example.com,dns:origin.example.com,ip:127.0.0.1",
                "-ext",
                "bc=ca:true",
                "-storetype",
                "PKCS12");
        keytool(
                store,
                "-gencrl",
                "-id",
                "4711",
                "-rfc",
                "-file",
                store.resolveSibling("crl.pem").toString());
        Files.writeString(store.resolveSibling("tickets.key"), "0123456789abcdef".repeat(3));
    }

    private static void keytool(Path store, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        command.addAll(List.of("-alias", "weir", "-storepass", new String(PASSWORD), "-keystore", store.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(300, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new ScenarioFailure("keytool failed: " + said);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ScenarioFailure("interrupted", e);
        }
    }

    private static void trust(Path file, KeyStore keys) throws IOException, GeneralSecurityException {
        KeyStore trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        trust.setCertificateEntry("weir", certificate(keys));
        try (OutputStream out = Files.newOutputStream(file)) {
            trust.store(out, PASSWORD);
        }
    }

    private static Certificate certificate(KeyStore keys) throws GeneralSecurityException {
        Certificate found = keys.getCertificate("weir");
        if (found == null) {
            throw new GeneralSecurityException("no certificate in the key store");
        }
        return found;
    }

    private static Path pem(Path file, String what, byte[] bytes) throws IOException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return Files.writeString(file, "-----BEGIN " + what + "-----\n" + body + "\n-----END " + what + "-----\n");
    }

    private static SSLContext context(@Nullable KeyStore keys) throws GeneralSecurityException {
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, keys == null ? null : PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), new TrustManager[] {new TrustAll()}, null);
        return context;
    }

    /**
     * A client's TLS connection over a connected socket, for much data; any certificate is accepted. Its cipher is the
     * one that costs a JVM without its second compiler, as that of tests, least.
     */
    public Socket connect(Socket socket) throws IOException {
        SSLSocket tls = client(Map.of()).over(socket);
        tls.setEnabledCipherSuites(new String[] {"TLS_CHACHA20_POLY1305_SHA256"});
        tls.startHandshake();
        return tls;
    }

    /** The client's side of a handshake with the options {@code sni=NAME alpn=A,B version=TLSv1.2}. */
    Handshake client(Map<String, String> options) {
        return socket -> {
            String host = options.getOrDefault("sni", "localhost");
            SSLContext own = options.containsKey("anonymous") ? anonymous : context;
            SSLSocket tls = (SSLSocket) own.getSocketFactory().createSocket(socket, host, socket.getPort(), true);
            tls.setUseClientMode(true);
            SSLParameters parameters = tls.getSSLParameters();
            parameters.setServerNames(host.equals("none") ? List.of() : List.of(new SNIHostName(host)));
            apply(parameters, options);
            tls.setSSLParameters(parameters);
            return tls;
        };
    }

    /** The server's side of a handshake, with the same options. */
    Handshake server(Map<String, String> options) {
        return socket -> {
            SSLSocket tls = (SSLSocket) context.getSocketFactory().createSocket(socket, null, true);
            tls.setUseClientMode(false);
            SSLParameters parameters = tls.getSSLParameters();
            apply(parameters, options);
            tls.setSSLParameters(parameters);
            return tls;
        };
    }

    private static void apply(SSLParameters parameters, Map<String, String> options) {
        String alpn = options.get("alpn");
        if (alpn != null) {
            parameters.setApplicationProtocols(alpn.split(",", -1));
        }
        String version = options.get("version");
        if (version != null) {
            parameters.setProtocols(new String[] {version});
        }
    }

    @Override
    public String toString() {
        return "certificate " + certificate + " "
                + Arrays.toString(context.getSupportedSSLParameters().getProtocols());
    }

    /** Puts TLS on a connected socket; the caller starts the handshake. */
    interface Handshake {
        SSLSocket over(Socket socket) throws IOException;
    }

    /** Scripted actors check certificates only if a scenario requires it. */
    private static final class TrustAll implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
