package io.weir.wire.login;

import io.weir.wire.WireFault;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Decides which clients may connect. Shared by all connections; called on their loops, so blocking work must run
 * elsewhere.
 */
@FunctionalInterface
public interface Authenticator {
    /**
     * Checks a login.
     *
     * @param user the name given; null for none
     * @param password the password given, which the authenticator may keep until the stage completes and then
     * overwrites; null for none
     * @param from the client's address
     * @return completes, on any thread, with the principal, or null if the login is wrong; exceptionally with a {@link
     * WireFault} to refuse for another reason (too many failed logins)
     */
    CompletionStage<@Nullable Principal> check(
            @Nullable String user, char @Nullable [] password, InetSocketAddress from);

    /**
     * A user who logs in by proving a key.
     *
     * @param key which both ends have
     * @param principal the user's identity after a valid proof
     */
    record Proving(LoginKey key, Principal principal) {}

    /** The key and principal of a user who logs in by proof; null if the user uses a password, or is unknown. */
    default @Nullable Proving proving(String user) {
        return null;
    }
}
