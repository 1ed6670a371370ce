package io.weir.wire.login;

import org.jspecify.annotations.Nullable;

/**
 * A client's credentials. The text form does not show the password.
 *
 * @param user null to connect without a name, if the server allows it
 * @param password null for none
 * @param key proved instead of sending a password; null for none
 */
public record Credentials(
        @Nullable String user,
        @Nullable String password,
        @Nullable LoginKey key) {
    /** No name, no password. */
    public static final Credentials NONE = new Credentials(null, null);

    /** Credentials with a password that is sent; without a name, for a guest if the server allows guests. */
    public Credentials(@Nullable String user, @Nullable String password) {
        this(user, password, null);
    }

    /** Credentials proved with a key; what is sent does not allow anyone else to log in. */
    public static Credentials proving(String user, LoginKey key) {
        return new Credentials(user, null, key);
    }

    @Override
    public String toString() {
        return "Credentials[user=" + user + "]";
    }
}
