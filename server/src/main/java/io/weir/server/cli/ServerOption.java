package io.weir.server.cli;

import io.weir.server.files.DataDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that select the server: the one of the data directory, or one elsewhere. Lives for one call. */
final class ServerOption {
    /** The verb that has these options. */
    @Spec(Spec.Target.MIXEE)
    private CommandSpec verb = CommandSpec.create();

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Option(
            names = "--admin",
            paramLabel = "HOST:PORT",
            description = "admin listener of a server elsewhere (default: the one of the data directory)")
    private @Nullable String admin;

    @Option(names = "--token-file", paramLabel = "FILE", description = "with --admin: that server's admin.token")
    private @Nullable Path tokenFile;

    /** The data directory of the configuration: the server's, unless one elsewhere is named. */
    Path dataDir() {
        return options.dataDir();
    }

    /** The same as {@link #client()}, but null where no server runs on the data directory. */
    @Nullable
    AdminClient clientIfRunning() throws IOException {
        boolean here = admin == null && tokenFile == null;
        return here && DataDirectory.running(options.dataDir()) == null ? null : client();
    }

    AdminClient client() throws IOException {
        if (admin == null) {
            if (tokenFile != null) {
                throw usage("--token-file goes with --admin: the server of the data directory has its own");
            }
            return AdminClient.of(options.dataDir());
        }
        if (tokenFile == null) {
            throw usage("--admin needs --token-file: a copy of admin.token of that server's data directory");
        }
        if (!Files.isReadable(tokenFile)) {
            throw new CliFailure(tokenFile + ": there is no such file, or it cannot be read");
        }
        String token = Files.readString(tokenFile).strip();
        if (!token.matches("[!-~]+")) {
            throw new CliFailure(tokenFile + " holds no token: it is one line, without blanks");
        }
        try {
            return AdminClient.at(admin, token);
        } catch (IllegalArgumentException e) {
            throw usage("--admin " + e.getMessage());
        }
    }

    private ParameterException usage(String text) {
        return new ParameterException(verb.commandLine(), text);
    }
}
