package io.weir.proxy.program.functions;

import io.weir.http.FieldName;
import io.weir.http.Fields;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A name and a password as Basic authentication carries them (RFC 7617). Confined to its run; used once, because
 * checking the password overwrites it.
 */
final class BasicCredentials {
    private static final String SCHEME = "basic ";

    /** The user name of malformed credentials, which no user has. */
    private static final String NOBODY = "";

    private final String user;
    private final char[] password;

    private BasicCredentials(String user, char[] password) {
        this.user = user;
        this.password = password;
    }

    String user() {
        return user;
    }

    char[] password() {
        return password;
    }

    /**
     * The credentials in a field; null if there are none or they are of another scheme. Malformed ones have an empty
     * user name.
     */
    static @Nullable BasicCredentials of(Fields fields, FieldName field) {
        String value = fields.combined(field);
        if (value == null || !value.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return null;
        }
        byte[] plain = new byte[0];
        try {
            plain = Base64.getDecoder().decode(value.substring(SCHEME.length()).strip());
            CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(plain));
            return of(text);
        } catch (IllegalArgumentException | CharacterCodingException e) {
            return new BasicCredentials(NOBODY, new char[0]);
        } finally {
            Arrays.fill(plain, (byte) 0);
        }
    }

    private static BasicCredentials of(CharBuffer text) {
        char[] all = new char[text.remaining()];
        text.get(all);
        Arrays.fill(text.array(), ' ');
        int colon = 0;
        while (colon < all.length && all[colon] != ':') {
            colon++;
        }
        String user = new String(all, 0, colon);
        char[] password = colon == all.length ? new char[0] : Arrays.copyOfRange(all, colon + 1, all.length);
        Arrays.fill(all, ' ');
        return new BasicCredentials(user, password);
    }
}
