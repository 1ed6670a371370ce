package io.weir.lab.scenario;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.stream.Collectors;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** One connection of an actor: blocking, with a time-out, every byte in the transcript. Confined to its actor. */
final class Wire implements AutoCloseable {
    private static final int GOODBYE_MILLIS = 100;
    private static final int MAX_HEAD = 1 << 20;
    private final String who;
    private final Transcript transcript;
    private final Socket raw;
    private Socket socket;
    private InputStream in;
    private OutputStream out;

    Wire(String who, Transcript transcript, Socket socket, int patienceMillis) throws IOException {
        this.who = who;
        this.transcript = transcript;
        this.raw = socket;
        this.socket = socket;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(patienceMillis);
        in = new BufferedInputStream(socket.getInputStream(), 65536);
        out = socket.getOutputStream();
    }

    /** Switches the connection to TLS. */
    void secure(Certificates.Handshake handshake) throws IOException {
        SSLSocket secured = handshake.over(raw);
        secured.startHandshake();
        transcript.add(
                who,
                "tls " + secured.getSession().getProtocol() + " "
                        + secured.getSession().getCipherSuite() + " alpn=" + secured.getApplicationProtocol());
        socket = secured;
        in = new BufferedInputStream(secured.getInputStream(), 65536);
        out = secured.getOutputStream();
    }

    @Nullable
    SSLSocket tls() {
        return socket instanceof SSLSocket s ? s : null;
    }

    /** The name in a ClientHello; empty without one. */
    static String nameAskedFor(SSLSocket tls) {
        return tls.getSession() instanceof ExtendedSSLSession asked
                ? asked.getRequestedServerNames().stream()
                        .filter(SNIHostName.class::isInstance)
                        .map(n -> ((SNIHostName) n).getAsciiName())
                        .collect(Collectors.joining())
                : "";
    }

    int localPort() {
        return raw.getLocalPort();
    }

    void send(byte[] bytes) throws IOException {
        transcript.bytes(who, ">", bytes, 0, bytes.length);
        out.write(bytes);
        out.flush();
    }

    /** Sends {@code count} bytes of the fill pattern, starting at {@code offset}. */
    void sendPattern(long offset, long count) throws IOException {
        transcript.add(who, "> fill " + count);
        byte[] block = new byte[8192];
        for (long done = 0; done < count; ) {
            int n = (int) Math.min(block.length, count - done);
            for (int i = 0; i < n; i++) {
                block[i] = Text.pattern(offset + done + i);
            }
            out.write(block, 0, n);
            done += n;
        }
        out.flush();
    }

    /** One byte, or -1 at the orderly end of the stream. */
    int read() throws IOException {
        try {
            return in.read();
        } catch (SocketTimeoutException e) {
            throw new ScenarioFailure("nothing came within " + raw.getSoTimeout() + " ms", e);
        }
    }

    /** Up to {@code length} bytes; -1 at the end. */
    int read(byte[] into, int offset, int length) throws IOException {
        try {
            return in.read(into, offset, length);
        } catch (SocketTimeoutException e) {
            throw new ScenarioFailure("nothing came within " + raw.getSoTimeout() + " ms", e);
        }
    }

    /** Reads up to the CRLF and returns the line without it; null if the stream ends before the first byte. */
    @Nullable
    String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int previous = -1;
        int b;
        while ((b = read()) >= 0) {
            line.write(b);
            if (previous == '\r' && b == '\n') {
                byte[] all = line.toByteArray();
                transcript.bytes(who, "<", all, 0, all.length);
                return new String(all, 0, all.length - 2, java.nio.charset.StandardCharsets.ISO_8859_1);
            }
            if (line.size() > MAX_HEAD) {
                throw new ScenarioFailure("a line of more than " + MAX_HEAD + " bytes");
            }
            previous = b;
        }
        if (line.size() == 0) {
            return null;
        }
        byte[] all = line.toByteArray();
        transcript.bytes(who, "< (cut)", all, 0, all.length);
        throw new ScenarioFailure("the stream ended inside a line: " + Text.show(all, 0, all.length, 200));
    }

    void note(String what) {
        transcript.add(who, what);
    }

    /** Whether bytes are waiting to be read. */
    boolean bytesWaiting() throws IOException {
        return in.available() > 0;
    }

    /** How the stream ends: {@code "eof"}, {@code "reset"}, or a description of the byte that arrived instead. */
    String end() throws IOException {
        try {
            int b = read();
            String end = b < 0 ? "eof" : "a byte: " + Text.show(new byte[] {(byte) b}, 0, 1, 1);
            transcript.add(who, "< " + end);
            return end;
        } catch (SocketException e) {
            transcript.add(who, "< reset (" + e.getMessage() + ")");
            return "reset";
        }
    }

    void halfClose() throws IOException {
        transcript.add(who, "> half-close");
        socket.shutdownOutput();
    }

    void reset() throws IOException {
        transcript.add(who, "> reset");
        raw.setSoLinger(true, 0);
        raw.close();
    }

    @Override
    public void close() throws IOException {
        if (!raw.isClosed()) {
            transcript.add(who, "> close");
            // TLS waits for the peer's close_notify, which may never arrive
            raw.setSoTimeout(GOODBYE_MILLIS);
            socket.close();
        }
    }
}
