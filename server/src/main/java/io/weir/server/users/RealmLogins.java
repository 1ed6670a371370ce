package io.weir.server.users;

import io.weir.proxy.program.run.Logins;
import io.weir.wire.WireFault;
import io.weir.wire.login.Authenticator;
import io.weir.wire.login.Principal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Messaging's check of logins, for the proxy's routes: one realm, one count of failures. Shared. */
public final class RealmLogins implements Logins {
    private final Authenticator users;

    public RealmLogins(Authenticator users) {
        this.users = users;
    }

    @Override
    public CompletableFuture<Login> check(String user, char[] password, InetAddress client) {
        return users.check(user, password, new InetSocketAddress(client, 0))
                .handle(RealmLogins::login)
                .toCompletableFuture();
    }

    private static Login login(@Nullable Principal found, @Nullable Throwable failure) {
        if (found != null) {
            return new Login(Result.ACCEPTED, found.user(), found.groups());
        }
        if (failure == null) {
            return Login.not(Result.WRONG);
        }
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        boolean storm = cause instanceof WireFault f && f.reason() == WireFault.Reason.LOGIN_STORM;
        return Login.not(storm ? Result.LATER : Result.FAILED);
    }
}
