package io.weir.server.cli;

import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which configuration is meant. Lives for one call. */
final class ConfigOptions {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "configuration file; without it the embedded default")
    private @Nullable Path config;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "lays one value over the file, such as --set listeners.http.port=8081; may be repeated")
    private List<String> sets = new ArrayList<>();

    ConfigLoader loader() {
        return new ConfigLoader(config, sets, home());
    }

    ConfigLoader loaderFor(Path file) {
        return new ConfigLoader(file, sets, home());
    }

    /** The data directory of the configuration; that may be wrong elsewhere, so that a server can always be stopped. */
    Path dataDir() {
        if (config != null && Files.notExists(config)) {
            throw new CliFailure(config + ": there is no such file");
        }
        return dataDir(loader().load());
    }

    Path dataDir(LoadedConfig loaded) {
        return ConfigLoader.dataDir(loaded.value(), home());
    }

    /** What a verb for the same data directory is to be given beside its name, each with a space before; quoted for a shell. */
    String again() {
        StringBuilder words = new StringBuilder();
        if (config != null) {
            words.append(" --config ").append(quoted(config.toString()));
        }
        sets.stream()
                .filter(s -> s.startsWith("server.data-dir="))
                .forEach(s -> words.append(" --set ").append(quoted(s)));
        return words.toString();
    }

    private static String quoted(String word) {
        return word.matches("[A-Za-z0-9_./=:@%+,-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** The launcher's repository folder, from which a relative data directory counts. */
    static @Nullable Path home() {
        String home = System.getProperty("weir.home");
        return home == null || home.isEmpty() ? null : Path.of(home);
    }
}
