package io.weir.server.admin;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** A connection over which a test writes exactly what it means to, and reads answers. Ten seconds bound every wait. */
public final class RawClient implements AutoCloseable {
    /** An answer as it came. */
    public record Answer(int status, Map<String, String> fields, String body) {
        public String field(String name) {
            return fields.getOrDefault(name, "");
        }
    }

    private final Socket socket;
    private final InputStream in;
    private final String host;

    public RawClient(InetSocketAddress server) throws IOException {
        socket = new Socket();
        socket.connect(server, 10_000);
        socket.setSoTimeout(120_000);
        in = new BufferedInputStream(socket.getInputStream());
        host = "localhost:" + server.getPort();
    }

    /** One request on a connection of its own. */
    public static Answer get(InetSocketAddress server, String target, String... fields) throws IOException {
        try (RawClient client = new RawClient(server)) {
            return client.ask("GET", target, "", fields);
        }
    }

    public Answer ask(String method, String target, String body, String... fields) throws IOException {
        StringBuilder request = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: " + host + "\r\n");
        for (String field : fields) {
            request.append(field).append("\r\n");
        }
        if (!body.isEmpty()) {
            request.append("Content-Length: ")
                    .append(body.getBytes(StandardCharsets.UTF_8).length)
                    .append("\r\n");
        }
        send(request + "\r\n" + body);
        return read(method.equals("HEAD"));
    }

    public void send(String text) throws IOException {
        send(text.getBytes(StandardCharsets.UTF_8));
    }

    public void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    public Answer read(boolean head) throws IOException {
        String status = line();
        if (status.isEmpty()) {
            throw new IOException("closed without an answer");
        }
        Map<String, String> fields = new LinkedHashMap<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            fields.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        int length = head ? 0 : Integer.parseInt(fields.getOrDefault("content-length", "0"));
        String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
        return new Answer(Integer.parseInt(status.substring(9, 12)), fields, body);
    }

    /** Whether the server ends the connection now, without another byte. */
    public boolean ended() throws IOException {
        return in.read() < 0;
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
            if (b != '\r') {
                line.write(b);
            }
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
