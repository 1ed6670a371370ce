package io.weir.proxy.program.run;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Who has which password and is in which groups: the server's realm, as the program asks it. Shared. */
public interface Logins {
    /** What became of a login. */
    enum Result {
        /** Name and password are right. */
        ACCEPTED,
        /** One of them is not. */
        WRONG,
        /** There were too many wrong ones, or too many wait: it was not checked. */
        LATER,
        /** The realm cannot be read. */
        FAILED
    }

    /**
     * A login that was looked at. Immutable.
     *
     * @param user the name, where it was accepted
     * @param groups that the user is in
     */
    record Login(Result result, String user, List<String> groups) {
        public Login {
            groups = List.copyOf(groups);
        }

        /** One that was not accepted. */
        public static Login not(Result result) {
            return new Login(result, "", List.of());
        }
    }

    /** A realm without users. */
    Logins NOBODY = (_, _, _) -> CompletableFuture.completedFuture(Login.not(Result.WRONG));

    /**
     * Looks at a login. Called on loops: what is slow happens elsewhere.
     *
     * @param password to be kept no longer than until this completes, and overwritten then
     * @return completes on any thread, at once for a login that was accepted a short time ago; never exceptionally
     */
    CompletableFuture<Login> check(String user, char[] password, InetAddress client);
}
