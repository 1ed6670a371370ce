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
 * Lets members in: who logs in as {@code member:NAME} and proves the cluster's secret, or without one from loopback where none
 * is set, is in the group {@link #GROUP}. The secret itself is never sent, and not taken where it is. Everybody else is the
 * other authenticator's, which never sees such a name. Shared; immutable.
 */
public final class MemberLogins implements Authenticator {
    /** The group of members. */
    public static final String GROUP = "members";

    private static final String PREFIX = "member:";

    private final Authenticator others;
    private final @Nullable LoginKey key;

    /** @param key made of the cluster's secret; null where it has none */
    public MemberLogins(Authenticator others, @Nullable LoginKey key) {
        this.others = others;
        this.key = key;
    }

    /** What a member logs in with. */
    public static Credentials credentials(String member, @Nullable LoginKey key) {
        return key == null ? new Credentials(user(member), "") : Credentials.proving(user(member), key);
    }

    /** As whom a member is logged in. */
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
                    "members prove cluster.secret here, they do not send it: it must be set, and the same, on all"));
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
