package io.weir.wire.login;

import org.jspecify.annotations.Nullable;

/**
 * What a client logs in with. Its text form does not show the password.
 *
 * @param user null to connect without a name, where the server allows it
 * @param password null for none
 * @param key proved instead of a password that is sent; null for none
 */
public record Credentials(
        @Nullable String user,
        @Nullable String password,
        @Nullable LoginKey key) {
    /** No name, no password. */
    public static final Credentials NONE = new Credentials(null, null);

    /** Of a user with a password that is sent; without a name a guest, where the server lets one in. */
    public Credentials(@Nullable String user, @Nullable String password) {
        this(user, password, null);
    }

    /** Of a user who proves a key; nothing that is sent lets anybody else in. */
    public static Credentials proving(String user, LoginKey key) {
        return new Credentials(user, null, key);
    }

    @Override
    public String toString() {
        return "Credentials[user=" + user + "]";
    }
}
