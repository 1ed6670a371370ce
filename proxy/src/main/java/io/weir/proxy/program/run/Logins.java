package io.weir.proxy.program.run;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The users with their passwords and groups: the server's realm, as the program uses it. Shared. */
public interface Logins {
    /** The result of a login. */
    enum Result {
        /** Name and password are correct. */
        ACCEPTED,
        /** Name or password is wrong. */
        WRONG,
        /** There were too many wrong logins, or too many are waiting: it was not checked. */
        LATER,
        /** The realm cannot be read. */
        FAILED
    }

    /**
     * A checked login. Immutable.
     *
     * @param user the name, if it was accepted
     * @param groups of the user
     */
    record Login(Result result, String user, List<String> groups) {
        public Login {
            groups = List.copyOf(groups);
        }

        /** A login that was not accepted. */
        public static Login not(Result result) {
            return new Login(result, "", List.of());
        }
    }

    /** A realm without users. */
    Logins NOBODY = (_, _, _) -> CompletableFuture.completedFuture(Login.not(Result.WRONG));

    /**
     * Checks a login. Called on loops: slow work must be done on other threads.
     *
     * @param password must be overwritten when this completes
     * @return completes on any thread, immediately for a login that was accepted recently; never exceptionally
     */
    CompletableFuture<Login> check(String user, char[] password, InetAddress client);
}
