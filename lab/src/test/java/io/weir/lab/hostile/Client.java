package io.weir.lab.hostile;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A client that sends bytes and reads answers by the letter. Confined to its test's thread. */
final class Client implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 10_000;
    private final Socket socket;
    private final InputStream in;

    Client(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        in = new BufferedInputStream(socket.getInputStream());
    }

    /**
     * One answer; interim ones are passed over.
     *
     * @param status three digits, {@code none} for bytes that are no answer, {@code cut} for one that does not end
     * @param seen what the origin says it saw; empty where it was not asked
     */
    record Answer(String status, String seen, String body) {}

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    /** Sends and reads to the end of the connection, or until nothing more comes. */
    static List<Answer> exchange(int port, byte[] bytes, boolean headFirst) throws IOException {
        List<Answer> answers = new ArrayList<>();
        try (Client client = new Client(port)) {
            client.send(bytes);
            while (client.answer(answers, headFirst && answers.isEmpty())) {
                // the next
            }
        } catch (SocketException | SocketTimeoutException e) {
            // reset, or silent for good: what came is what there is
            return answers;
        }
        return answers;
    }

    static Answer get(int port, String path) throws IOException {
        return exchange(port, get(path, "Connection: close\r\n"), false).getFirst();
    }

    static byte[] get(String path, String more) {
        return ("GET " + path + " HTTP/1.1\r\nHost: a.test\r\n" + more + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
    }

    boolean answer(List<Answer> answers, boolean bodiless) throws IOException {
        String line = line();
        if (line.isEmpty()) {
            return false;
        }
        if (!line.matches("HTTP/1\\.[01] \\d{3}( .*)?")) {
            answers.add(new Answer("none", "", line + new String(in.readAllBytes(), StandardCharsets.ISO_8859_1)));
            return false;
        }
        String status = line.substring(9, 12);
        String seen = "";
        int length = -1;
        boolean chunked = false;
        for (String field = line(); !field.isEmpty(); field = line()) {
            String lower = field.toLowerCase(Locale.ROOT);
            String value = field.substring(field.indexOf(':') + 1).strip();
            seen = lower.startsWith("x-seen:") ? value : seen;
            length = lower.startsWith("content-length:") ? Integer.parseInt(value) : length;
            chunked |= lower.startsWith("transfer-encoding:");
        }
        if (status.startsWith("1") && !status.equals("101")) {
            return answer(answers, bodiless);
        }
        boolean empty = bodiless || status.equals("204") || status.equals("304");
        try {
            answers.add(new Answer(status, seen, empty ? "" : body(length, chunked)));
            return true;
        } catch (NumberFormatException | SocketException | EOFException e) {
            answers.add(new Answer("cut", seen, e.toString()));
            return false;
        }
    }

    private String body(int length, boolean chunked) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        if (chunked) {
            for (int n = Integer.parseInt(line(), 16); n > 0; n = Integer.parseInt(line(), 16)) {
                body.write(in.readNBytes(n));
                line();
            }
            line();
        } else {
            body.write(length < 0 ? in.readAllBytes() : in.readNBytes(length));
            if (body.size() < length) {
                throw new EOFException("after " + body.size() + " of " + length);
            }
        }
        return body.toString(StandardCharsets.ISO_8859_1);
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
            line.append((char) b);
        }
        return line.toString().stripTrailing();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
