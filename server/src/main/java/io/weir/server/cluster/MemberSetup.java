package io.weir.server.cluster;

import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.cluster.config.ClusterConfig;
import io.weir.cluster.log.ClusterLoop;
import io.weir.server.config.WeirConfig;
import io.weir.wire.login.LoginKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A member's setup before it is opened: configuration, folder, secret, its thread and its users' classes. Immutable;
 * each part of the member is made from it.
 *
 * @param folder of the cluster in the data directory
 * @param secret with which members authenticate each other; null for none, if all are on loopback
 * @param loginKey derived from it; null for none, and for a single server
 */
record MemberSetup(
        WeirConfig config,
        Path folder,
        @Nullable String secret,
        @Nullable LoginKey loginKey,
        LibClasses classes,
        ClusterLoop loop,
        Stats stats,
        Log log) {
    /**
     * Creates it from the configuration.
     *
     * @throws IOException when the secret cannot be read
     */
    static MemberSetup of(WeirConfig config, Path dataDir, Clock clock, Stats stats, Log log) throws IOException {
        ClusterConfig section = config.cluster();
        String secret = readSecret(section);
        return new MemberSetup(
                config,
                dataDir.resolve(Clustering.FOLDER),
                secret,
                secret == null || section.alone() ? null : LoginKey.of(secret),
                new LibClasses(dataDir.resolve(section.libDir())),
                new ClusterLoop(clock, Chance.unseeded(), stats, log),
                stats,
                log);
    }

    private static @Nullable String readSecret(ClusterConfig section) throws IOException {
        String file = section.secretFile();
        if (file == null) {
            String secret = section.secret();
            return secret == null || secret.isEmpty() ? null : secret;
        }
        String secret = Files.readString(Path.of(file)).strip();
        if (secret.isEmpty()) {
            throw new IOException("cluster.secret-file " + file + " is empty");
        }
        return secret;
    }

    ClusterConfig section() {
        return config.cluster();
    }

    Clock clock() {
        return loop.clock();
    }

    boolean alone() {
        return section().alone();
    }

    /** This member's name. */
    String self() {
        return section().memberName(config.server().name());
    }
}
