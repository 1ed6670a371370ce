package io.weir.cluster.members;

import io.weir.wire.WireFault;
import io.weir.wire.login.Authenticator;
import io.weir.wire.login.Credentials;
import io.weir.wire.login.LoginKey;
import io.weir.wire.login.Principal;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates members: a client that logs in as {@code member:NAME} and proves the cluster's secret, or connects from
 * loopback if none is set, is in the group {@link #GROUP}. The secret itself is never sent, and rejected if it is. All
 * other users are handled by the other authenticator, which never sees such a name. Shared; immutable.
 */
public final class MemberLogins implements Authenticator {
    /** The group of members. */
    public static final String GROUP = "members";

    private static final String PREFIX = "member:";

    private final Authenticator others;
    private final @Nullable LoginKey key;

    /** @param key derived from the cluster's secret; null if there is none */
    public MemberLogins(Authenticator others, @Nullable LoginKey key) {
        this.others = others;
        this.key = key;
    }

    /** A member's login credentials. */
    public static Credentials credentials(String member, @Nullable LoginKey key) {
        return key == null ? new Credentials(user(member), "") : Credentials.proving(user(member), key);
    }

    /** A member's user name. */
    static String user(String member) {
        return PREFIX + member;
    }

    @Override
    public CompletionStage<@Nullable Principal> check(
            @Nullable String user, char @Nullable [] password, InetSocketAddress from) {
        if (user == null || !user.startsWith(PREFIX)) {
            return others.check(user, password, from);
        }
        if (key != null) {
            return CompletableFuture.failedFuture(new WireFault(
                    WireFault.Reason.AUTHENTICATION,
                    "members must prove cluster.secret instead of sending it: it must be set to the same value on all"
                            + " members"));
        }
        boolean member = from.getAddress().isLoopbackAddress();
        return CompletableFuture.completedFuture(member ? principal(user) : null);
    }

    private static Principal principal(String user) {
        return new Principal(user, List.of(GROUP));
    }

    @Override
    public @Nullable Proving proving(String user) {
        if (!user.startsWith(PREFIX)) {
            return others.proving(user);
        }
        LoginKey k = key;
        return k == null ? null : new Proving(k, principal(user));
    }
}
