package io.weir.server.assembly;

import io.weir.cluster.naming.ClusterNaming;
import io.weir.jms.NamedObjects;
import io.weir.wire.login.Authenticator;
import io.weir.wire.login.Credentials;
import io.weir.wire.login.Principal;
import io.weir.wire.naming.NamingDirectory;
import io.weir.wire.naming.NamingEntry;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;

/**
 * Messaging's names for {@code new InitialContext()} in this server: its own connection factories and destinations.
 * Code that runs in the server connects over the server's weir listener like any client, as user {@code server:NAME} of
 * the group {@link #GROUP}, with a password that is generated at the start and known to this process only. Shared;
 * immutable.
 */
public final class OwnNames implements ClusterNaming.Others {
    /** The group of code that runs in a server. */
    public static final String GROUP = "servers";

    private static final String PREFIX = "server:";
    private static final int SECRET_BYTES = 32;

    private final NamingDirectory directory;
    private final Principal self;
    private final Credentials credentials;
    private volatile String url = "";

    /** @param server this server's name */
    public OwnNames(String server, NamingDirectory directory) {
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        this.directory = directory;
        this.self = new Principal(PREFIX + server, List.of(GROUP));
        this.credentials = new Credentials(self.user(), HexFormat.of().formatHex(secret));
    }

    /** Sets the address that connection factories connect to, once the listener is open; empty: there is none. */
    public void at(String listener) {
        url = listener;
    }

    @Override
    public @Nullable Object find(String name) throws NamingException {
        NamingEntry entry = directory.lookup(name, self);
        return entry == null || url.isEmpty() ? null : NamedObjects.of(entry, url, credentials);
    }

    /**
     * Authenticates code that runs in this process; all others are left to the given authenticator, which never sees
     * such a name.
     */
    public Authenticator logins(Authenticator others) {
        return new Authenticator() {
            @Override
            public CompletionStage<@Nullable Principal> check(
                    @Nullable String user, char @Nullable [] password, InetSocketAddress from) {
                return user != null && user.startsWith(PREFIX)
                        ? CompletableFuture.completedFuture(matches(user, password) ? self : null)
                        : others.check(user, password, from);
            }

            @Override
            public @Nullable Proving proving(String user) {
                return user.startsWith(PREFIX) ? null : others.proving(user);
            }
        };
    }

    private boolean matches(String user, char @Nullable [] password) {
        String secret = credentials.password();
        return user.equals(self.user())
                && password != null
                && secret != null
                && MessageDigest.isEqual(
                        secret.getBytes(StandardCharsets.UTF_8), new String(password).getBytes(StandardCharsets.UTF_8));
    }
}
