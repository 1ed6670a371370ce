package io.weir.server.users;

import java.nio.file.Path;

/** Users of tests whose subject is not the hash: it costs a thousandth of what a guess costs an attacker. Stateless. */
public final class QuickRealm {
    private static final int ITERATIONS = 210;

    private QuickRealm() {}

    public static FileRealm of(Path dataDir) {
        return new FileRealm(dataDir, ITERATIONS);
    }
}
