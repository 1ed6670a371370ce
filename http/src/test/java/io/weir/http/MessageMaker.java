package io.weir.http;

import io.weir.base.Chance;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.random.RandomGenerator;

/** Makes valid messages, and breaks messages, from a seed. */
final class MessageMaker {
    private static final String TOKEN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-.^_`|~";
    private static final String TARGET = TOKEN + "/?=&:@,;()[]<>{}\"\\".replace("#", "");
    private static final String[] METHODS = {
        "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "BREW", "M-SEARCH"
    };
    private static final String[] NAMES = {
        "Accept",
        "accept-encoding",
        "User-Agent",
        "COOKIE",
        "Cache-Control",
        "X-Forwarded-For",
        "Via",
        "If-None-Match",
        "Range",
        "Referer",
        "X-Custom",
        "x",
        "Date",
        "ETag",
        "Vary",
        "Set-Cookie",
        "Content-Type"
    };
    private static final String[] POISON = {
        "\r\n",
        "\n",
        "\r",
        "\0",
        " ",
        "\t",
        ":",
        ",",
        ";",
        "chunked",
        "Transfer-Encoding: chunked\r\n",
        "Content-Length: 1\r\n",
        "Host: x\r\n",
        "0\r\n\r\n",
        "HTTP/1.1",
        "\u000b",
        "\u00e9",
        "#",
        "//",
        "@",
        "5",
        "ffff",
        "\""
    };

    private final RandomGenerator random;

    MessageMaker(long seed) {
        random = Chance.seeded(seed).random();
    }

    /** One to three pipelined requests. */
    byte[] requests() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(3); i >= 0; i--) request(text);
        return bytes(text);
    }

    /** One to three responses to GET, the last maybe delimited by the end. */
    byte[] responses() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(3); i >= 0; i--) response(text, i == 0);
        return bytes(text);
    }

    private void request(StringBuilder text) {
        String method = pick(METHODS);
        String host = some("abcdefgh0123-", 1, 20).replaceAll("^-|-$", "a")
                + (chance(3) ? ":" + (1 + random.nextInt(65535)) : "");
        String path = "/" + some(TARGET, 0, 40).replace("#", "");
        boolean absolute = chance(4);
        boolean old = chance(8);
        text.append(method).append(' ').append(absolute ? "http://" + host + path : path);
        text.append(old ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n");
        fields(text);
        if (!old || chance(2)) field(text, chance(2) ? "Host" : "hOST", host);
        fields(text);
        if (chance(3)) field(text, "Connection", pick("close", "keep-alive", "Keep-Alive, foo", "upgrade"));
        body(text, old, false);
    }

    private void response(StringBuilder text, boolean last) {
        int status = pick(200, 200, 206, 301, 404, 500, 204, 304, 103, 599);
        boolean old = chance(8);
        text.append(old ? "HTTP/1.0 " : "HTTP/1.1 ")
                .append(status)
                .append(' ')
                .append(some(TOKEN + "   ", 0, 12).strip());
        text.append("\r\n");
        fields(text);
        if (status == 204 || status == 304 || status < 200) text.append("\r\n");
        else body(text, old, last && chance(3));
    }

    private void fields(StringBuilder text) {
        for (int i = random.nextInt(6); i > 0; i--) {
            String name = chance(4) ? "X-" + some(TOKEN, 1, 16) : pick(NAMES);
            field(text, name, some(TOKEN + " \t,=\"/;()\u00e9\u00ff", 0, 60).strip());
        }
    }

    private void field(StringBuilder text, String name, String value) {
        text.append(name)
                .append(':')
                .append(pick(" ", " ", " ", "", "  ", "\t"))
                .append(value);
        text.append(pick("", "", "", " ", "\t ")).append("\r\n");
    }

    private void body(StringBuilder text, boolean old, boolean untilClose) {
        String data = some(TOKEN + "\r\n\0 ", 0, 200);
        if (untilClose) {
            text.append("\r\n").append(data);
        } else if (old || chance(2)) {
            text.append("Content-Length: ")
                    .append(data.length())
                    .append("\r\n\r\n")
                    .append(data);
        } else {
            text.append(pick("Transfer-Encoding: chunked", "transfer-encoding:chunked", "Transfer-Encoding: Chunked"));
            text.append("\r\n\r\n");
            chunks(text, data);
        }
    }

    private void chunks(StringBuilder text, String data) {
        int from = 0;
        while (from < data.length()) {
            int to = from + 1 + random.nextInt(data.length() - from);
            String size = Integer.toHexString(to - from);
            text.append("0".repeat(random.nextInt(3))).append(chance(2) ? size : size.toUpperCase(Locale.ROOT));
            extension(text);
            text.append("\r\n").append(data, from, to).append("\r\n");
            from = to;
        }
        text.append("0".repeat(1 + random.nextInt(3)));
        extension(text);
        text.append("\r\n");
        for (int i = chance(4) ? 1 + random.nextInt(3) : 0; i > 0; i--) field(text, "X-T" + i, some(TOKEN, 0, 10));
        text.append("\r\n");
    }

    private void extension(StringBuilder text) {
        if (chance(6)) text.append(pick(";a", ";a=b", ";a=\"b c\"", ";a;b=c"));
    }

    /** The message with one to four small changes. */
    byte[] broken(byte[] message) {
        StringBuilder text = new StringBuilder(new String(message, StandardCharsets.ISO_8859_1));
        for (int i = random.nextInt(4); i >= 0; i--) breakOnce(text);
        return bytes(text);
    }

    private void breakOnce(StringBuilder text) {
        int at = random.nextInt(text.length() + 1);
        int to = Math.min(text.length(), at + 1 + random.nextInt(8));
        switch (random.nextInt(6)) {
            case 0 -> text.insert(at, (char) random.nextInt(256));
            case 1 -> text.insert(at, pick(POISON));
            case 2 -> text.delete(at, to);
            case 3 -> text.insert(at, text.substring(at, to));
            case 4 -> text.replace(at, Math.min(text.length(), at + 1), String.valueOf((char) random.nextInt(256)));
            default -> text.setLength(at);
        }
        if (text.isEmpty()) text.append('x');
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    private boolean chance(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private int pick(int... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private String some(String alphabet, int least, int most) {
        int length = least + random.nextInt(most - least + 1);
        StringBuilder text = new StringBuilder();
        while (text.length() < length) text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        return text.toString();
    }

    private static byte[] bytes(CharSequence text) {
        return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
