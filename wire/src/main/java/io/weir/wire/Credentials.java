package io.weir.wire;

import org.jspecify.annotations.Nullable;

/**
 * What a client logs in with. Its text form does not show the password.
 *
 * @param user null to connect without a name, where the server allows it
 * @param password null for none
 */
public record Credentials(@Nullable String user, @Nullable String password) {
    /** No name, no password. */
    public static final Credentials NONE = new Credentials(null, null);

    @Override
    public String toString() {
        return "Credentials[user=" + user + "]";
    }
}
