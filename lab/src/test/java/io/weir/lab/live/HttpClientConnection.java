package io.weir.lab.live;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * A connection that asks and repeats nothing: whatever does not come is a failure. Confined to one thread.
 */
public final class HttpClientConnection implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 10_000;
    private final Socket socket;
    private final InputStream in;

    /**
     * An answer.
     *
     * @param close whether the server ends the connection
     */
    public record Answer(int status, String body, boolean close) {}

    private HttpClientConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    static HttpClientConnection plain(int port) throws IOException {
        return new HttpClientConnection(socket(port));
    }

    /** Over TLS, whatever the certificate. */
    static HttpClientConnection secure(int port, SSLContext context) throws IOException {
        SSLSocket tls = (SSLSocket) context.getSocketFactory().createSocket(socket(port), "localhost", port, true);
        tls.startHandshake();
        return new HttpClientConnection(tls);
    }

    private static Socket socket(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    /** A client's context that takes every certificate. */
    static SSLContext trusting() throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Everybody()}, null);
        return context;
    }

    private static final class Everybody implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    /** Whom the server said it is. */
    String shown() throws IOException {
        X509Certificate own =
                (X509Certificate) ((SSLSocket) socket).getSession().getPeerCertificates()[0];
        return own.getSubjectX500Principal().getName();
    }

    Answer ask(String method, String host, String path, String body, String... fields) throws IOException {
        StringBuilder request = new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\n");
        for (String field : fields) {
            request.append(field).append("\r\n");
        }
        if (!body.isEmpty()) {
            request.append("Content-Length: ").append(body.length()).append("\r\n");
        }
        socket.getOutputStream().write((request + "\r\n" + body).getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
        return answer();
    }

    private Answer answer() throws IOException {
        String status = line();
        int length = 0;
        boolean chunked = false;
        boolean close = false;
        for (String field = line(); !field.isEmpty(); field = line()) {
            String lower = field.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Integer.parseInt(lower.substring(15).strip());
            }
            chunked |= lower.startsWith("transfer-encoding:") && lower.contains("chunked");
            close |= lower.startsWith("connection:") && lower.contains("close");
        }
        return new Answer(Integer.parseInt(status.substring(9, 12)), chunked ? chunks() : bytes(length), close);
    }

    private String chunks() throws IOException {
        StringBuilder body = new StringBuilder();
        for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
            body.append(bytes(size));
            line();
        }
        line();
        return body.toString();
    }

    private String bytes(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the body ends early");
        }
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("closed" + (line.isEmpty() ? " without an answer" : " within a line"));
            }
            line.append((char) b);
        }
        return line.toString().strip();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
