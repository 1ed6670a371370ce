package io.weir.server.admin;

import io.weir.http.Fields;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Decodes the text of a request for the handlers: once, strictly. Stateless. */
final class RequestDecoding {
    /** Maximum number of parameters of a query. */
    static final int MAX_PARAMETERS = 100;

    /** A part of the request cannot be decoded; the message has which and why. */
    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1;

        Malformed(String message) {
            super(message);
        }
    }

    private RequestDecoding() {}

    /** The path, decoded; it begins with a slash and holds neither dot segments nor control characters. */
    static String path(String raw) throws Malformed {
        String path = decode(raw, false);
        if (!path.startsWith("/")) {
            throw new Malformed("the path does not begin with a slash");
        }
        for (String segment : path.split("/", -1)) {
            if (segment.equals(".") || segment.equals("..")) {
                throw new Malformed("the path holds a dot segment");
            }
        }
        return path;
    }

    /**
     * The parameters in order, the first of equal names.
     *
     * @param once whether a repeated name is malformed
     */
    static Map<String, String> query(@Nullable String raw, boolean once) throws Malformed {
        Map<String, String> parameters = new LinkedHashMap<>();
        if (raw == null || raw.isEmpty()) {
            return parameters;
        }
        for (String pair : raw.split("&", -1)) {
            if (parameters.size() == MAX_PARAMETERS) {
                throw new Malformed("the query has more than " + MAX_PARAMETERS + " parameters");
            }
            int equals = pair.indexOf('=');
            String name = decode(equals < 0 ? pair : pair.substring(0, equals), true);
            if (once && parameters.containsKey(name)) {
                throw new Malformed("the query has '" + name + "' twice");
            }
            if (!name.isEmpty()) {
                parameters.putIfAbsent(name, equals < 0 ? "" : decode(pair.substring(equals + 1), true));
            }
        }
        return parameters;
    }

    /** The fields by name in lower case; repeated ones joined with a comma. */
    static Map<String, String> fields(Fields fields) {
        Map<String, String> byName = new LinkedHashMap<>();
        for (int i = 0; i < fields.size(); i++) {
            byName.merge(fields.name(i).toLowerCase(Locale.ROOT), fields.value(i), (a, b) -> a + ", " + b);
        }
        return byName;
    }

    /** The bytes as UTF-8. */
    static String utf8(ByteBuffer bytes) throws Malformed {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        } catch (CharacterCodingException e) {
            throw new Malformed("it is not valid UTF-8");
        }
    }

    private static String decode(String raw, boolean plusIsSpace) throws Malformed {
        byte[] bytes = new byte[raw.length()];
        int length = 0;
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '%') {
                bytes[length++] = hex(raw, i);
                i += 2;
            } else {
                bytes[length++] = (byte) (c == '+' && plusIsSpace ? ' ' : c);
            }
        }
        String text = utf8(ByteBuffer.wrap(bytes, 0, length));
        if (text.chars().anyMatch(Character::isISOControl)) {
            throw new Malformed("it holds a control character");
        }
        return text;
    }

    private static byte hex(String raw, int at) throws Malformed {
        int high = at + 2 < raw.length() ? Character.digit(raw.charAt(at + 1), 16) : -1;
        int low = at + 2 < raw.length() ? Character.digit(raw.charAt(at + 2), 16) : -1;
        if (high < 0 || low < 0) {
            throw new Malformed("a percent sign is not followed by two hexadecimal digits");
        }
        return (byte) (high << 4 | low);
    }
}
