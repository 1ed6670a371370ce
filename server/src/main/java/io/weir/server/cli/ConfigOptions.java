package io.weir.server.cli;

import io.weir.base.Printable;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options that select the configuration. Lives for one call. */
final class ConfigOptions {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            converter = NamedFile.class,
            description = "configuration file; without it the embedded default")
    private @Nullable Path config;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            converter = Setting.class,
            description = "overrides one value of the file, such as --set listeners.http.port=8081; may be repeated")
    private List<String> sets = new ArrayList<>();

    /** Whether {@code --config} is given. */
    boolean namesFile() {
        return config != null;
    }

    /** Refuses an empty name, such as that of a variable that is not set: it would be the current folder. */
    static final class NamedFile implements ITypeConverter<Path> {
        @Override
        public Path convert(String text) {
            if (text.isBlank()) {
                throw new TypeConversionException(
                        "expected the name of a file; found \"" + Printable.word(text) + "\"");
            }
            try {
                return Path.of(text);
            } catch (InvalidPathException e) {
                throw new TypeConversionException("no file can have the name " + Printable.word(text));
            }
        }
    }

    /** Refuses what has no key: a wrong command line, not a wrong configuration. */
    static final class Setting implements ITypeConverter<String> {
        @Override
        public String convert(String text) {
            if (!ConfigLoader.isSetting(text)) {
                throw new TypeConversionException("expected key=value, such as --set listeners.http.port=8081; found \""
                        + Printable.word(text) + "\"");
            }
            return text;
        }
    }

    ConfigLoader loader() {
        return new ConfigLoader(config, sets, home());
    }

    ConfigLoader loaderFor(Path file) {
        return new ConfigLoader(file, sets, home());
    }

    /**
     * The data directory of the configuration, which may have errors elsewhere, so that a server can always be stopped.
     */
    Path dataDir() {
        if (config != null && Files.notExists(config)) {
            throw new CliFailure(config + ": there is no such file");
        }
        return dataDir(loader().load());
    }

    Path dataDir(LoadedConfig loaded) {
        return ConfigLoader.dataDir(loaded.value(), home());
    }

    /**
     * The options with which another verb selects the same data directory, each preceded by a space and quoted for a
     * shell.
     */
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

    /** The launcher's repository folder, against which a relative data directory is resolved. */
    static @Nullable Path home() {
        String home = System.getProperty("weir.home");
        return home == null || home.isEmpty() ? null : Path.of(home);
    }
}
