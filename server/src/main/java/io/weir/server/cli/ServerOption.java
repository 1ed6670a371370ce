package io.weir.server.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say which server is asked: the one of the data directory, or one elsewhere. Lives for one call. */
final class ServerOption {
    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Option(
            names = "--admin",
            paramLabel = "HOST:PORT",
            description = "admin listener of a server elsewhere (default: the one of the data directory)")
    private @Nullable String admin;

    @Option(names = "--token-file", paramLabel = "FILE", description = "with --admin: that server's admin.token")
    private @Nullable Path tokenFile;

    AdminClient client() throws IOException {
        if (admin == null) {
            if (tokenFile != null) {
                throw new CliFailure("--token-file goes with --admin: the server of the data directory has its own");
            }
            return AdminClient.of(options.dataDir());
        }
        if (tokenFile == null) {
            throw new CliFailure("--admin needs --token-file: a copy of admin.token of that server's data directory");
        }
        if (!Files.isReadable(tokenFile)) {
            throw new CliFailure(tokenFile + ": there is no such file, or it cannot be read");
        }
        return AdminClient.at(admin, Files.readString(tokenFile).strip());
    }
}
