package io.weir.cluster.members;

import io.weir.wire.Authenticator;
import io.weir.wire.Credentials;
import io.weir.wire.Principal;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Lets members in: who logs in as {@code member:NAME} with the cluster's secret, or without one from loopback where none is
 * set, is in the group {@link #GROUP}. Everybody else is the other authenticator's, which never sees such a name. Shared;
 * immutable.
 */
public final class MemberLogins implements Authenticator {
    /** The group of members. */
    public static final String GROUP = "members";

    private static final String PREFIX = "member:";

    private final Authenticator others;
    private final byte @Nullable [] secret;

    public MemberLogins(Authenticator others, @Nullable String secret) {
        this.others = others;
        this.secret = secret == null ? null : secret.getBytes(StandardCharsets.UTF_8);
    }

    /** What a member logs in with. */
    public static Credentials credentials(String member, @Nullable String secret) {
        return new Credentials(user(member), secret == null ? "" : secret);
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
        boolean member = secret == null ? from.getAddress().isLoopbackAddress() : matches(secret, password);
        return CompletableFuture.completedFuture(member ? new Principal(user, List.of(GROUP)) : null);
    }

    private static boolean matches(byte[] secret, char @Nullable [] password) {
        return password != null && MessageDigest.isEqual(secret, new String(password).getBytes(StandardCharsets.UTF_8));
    }
}
