package io.weir.lab.scenario;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** The short notation for messages in scenarios. Stateless. */
final class MessageNotation {
    private MessageNotation() {}

    /** {@code start line | Name: value | Name: value}: CRLF after each part and an empty line. */
    static byte[] head(String text) {
        StringBuilder out = new StringBuilder();
        for (String part : text.split(" \\| ", -1)) {
            out.append(part.strip()).append("\\r\\n");
        }
        return Text.bytes(out.append("\\r\\n").toString());
    }

    /** {@code 200 OK | Name: value || body}: a whole HTTP/1.1 answer with its Content-Length. */
    static byte[] answer(String text) {
        int at = text.indexOf("||");
        byte[] body = at < 0 ? new byte[0] : Text.bytes(text.substring(at + 2).strip());
        String head = (at < 0 ? text : text.substring(0, at)).strip();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(head("HTTP/1.1 " + head + " | Content-Length: " + body.length));
        out.writeBytes(body);
        return out.toByteArray();
    }

    static byte[] chunk(byte[] data) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes((Integer.toHexString(data.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
        out.writeBytes(data);
        out.writeBytes(new byte[] {'\r', '\n'});
        return out.toByteArray();
    }

    /** The closing chunk; trailers as {@code Name: value | Name: value}. */
    static byte[] lastChunk(String trailers) {
        return trailers.isEmpty() ? Text.bytes("0\\r\\n\\r\\n") : head("0 | " + trailers);
    }
}
