package io.weir.server.cli;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import io.weir.server.config.History;
import io.weir.server.config.LoadedConfig;
import io.weir.server.config.Overrides;
import io.weir.server.config.Yaml;
import io.weir.server.files.DataDirectory;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code weir config}: the applied configurations. History and differences are read from the data directory's files; a
 * roll-back and the dropping of a persisted change go through the running server, and to the files when none runs. Lives
 * for one call.
 */
@Command(
        name = "config",
        description = "Changes a running server, shows and rolls back applied configurations, drops persisted changes,"
                + " reloads the file.",
        sortOptions = false,
        footerHeading = WeirCommand.EXAMPLE,
        footer = {
            "  ./weir config history",
            "  ./weir config diff 1",
            "  ./weir config set kernel.keep-alive.timeout=10s",
            "  ./weir config reload"
        })
final class ConfigCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(
                new CommandLine(spec), "config needs history, diff, rollback, set, drop or reload");
    }

    @Command(name = "history", description = "Lists the applied configurations, oldest first.")
    int history(@Mixin ConfigOptions options) throws IOException {
        List<History.Entry> entries = new History(options.dataDir()).entries();
        for (History.Entry e : entries) {
            out(String.format(Locale.ROOT, "%6d  %-24s  %-20s  %s", e.number(), e.time(), e.author(), e.what()));
        }
        if (entries.isEmpty()) {
            out("No configuration was applied yet on " + options.dataDir() + ".");
        }
        return 0;
    }

    @Command(name = "diff", description = "Shows what changed from configuration N to M.")
    int diff(
            @Mixin ConfigOptions options,
            @Parameters(arity = "0..1", paramLabel = "N", description = "default: the one before M") @Nullable
                    Integer n,
            @Parameters(arity = "0..1", paramLabel = "M", description = "default: the last") @Nullable Integer m)
            throws IOException {
        History history = new History(options.dataDir());
        History.Entry last = history.last();
        if (last == null) {
            throw new CliFailure("no configuration was applied yet on " + options.dataDir());
        }
        int to = m != null ? m : last.number();
        int from = n != null ? n : history.before(to);
        ConfigNode.Mapping a =
                from == 0 ? ConfigNode.Mapping.empty(ConfigNode.Place.of("nothing")) : history.read(from);
        History.diff(a, history.read(to)).forEach(this::out);
        return 0;
    }

    @Command(name = "rollback", description = "Goes back to configuration N and persists it.")
    int rollback(@Mixin ConfigOptions options, @Parameters(paramLabel = "N") int n) throws IOException {
        LoadedConfig loaded = options.loader().load();
        Path dataDir = options.dataDir(loaded);
        if (DataDirectory.held(dataDir)) {
            out(AdminClient.of(dataDir)
                    .post("/config/rollback?n=" + n)
                    .checked()
                    .text()
                    .strip());
            return 0;
        }
        List<ConfigProblem> problems =
                alone(dataDir, () -> Overrides.rollback(options.loader().load(), dataDir, n));
        if (!problems.isEmpty()) {
            problems.forEach(p -> spec.commandLine().getErr().println(p));
            return 1;
        }
        out("Configuration " + n + " is in force from the next start (" + dataDir.resolve(Overrides.FILE) + ").");
        return 0;
    }

    @Command(
            name = "set",
            description =
                    "Changes live knobs of the running server, all or none. The change outlives restarts, until config"
                            + " drop.")
    int set(
            @Mixin ServerOption server,
            @Option(names = "--once", description = "only until the next start") boolean once,
            @Parameters(
                            arity = "1..*",
                            paramLabel = "KEY=VALUE",
                            converter = ConfigOptions.Setting.class,
                            description = "as with --set: a value, or a section such as {port: 8081}; empty removes an"
                                    + " entry")
                    List<String> settings)
            throws IOException {
        List<ConfigProblem> problems = new ArrayList<>();
        Map<String, ConfigNode> values = new LinkedHashMap<>();
        for (String setting : settings) {
            int eq = setting.indexOf('=');
            String key = setting.substring(0, eq).strip();
            values.put(key, Yaml.value(key, setting.substring(eq + 1), problems));
        }
        if (!problems.isEmpty()) {
            problems.forEach(p -> spec.commandLine().getErr().println(p));
            return 1;
        }
        out(server.client().change(values, !once).text().strip());
        return 0;
    }

    @Command(name = "reload", description = "Makes the running server reload its file; a wrong one changes nothing.")
    int reload(@Mixin ConfigOptions options) throws IOException {
        out(AdminClient.of(options.dataDir())
                .post("/config/reload")
                .checked()
                .text()
                .strip());
        return 0;
    }

    @Command(
            name = "drop",
            description =
                    "Drops a change made on the running server (PATCH /knobs, config rollback), which outlives restarts:"
                            + " the value of the file and of --set applies again.")
    int drop(
            @Mixin ConfigOptions options,
            @Parameters(paramLabel = "KEY", description = "a key, or a section for all that is persisted in it")
                    String key)
            throws IOException {
        LoadedConfig loaded = options.loader().load();
        Path dataDir = options.dataDir(loaded);
        if (DataDirectory.held(dataDir)) {
            String path = URLEncoder.encode(key, StandardCharsets.UTF_8);
            out(AdminClient.of(dataDir)
                    .delete("/knobs/" + path)
                    .checked()
                    .text()
                    .strip());
            return 0;
        }
        List<String> dropped =
                alone(dataDir, () -> Overrides.drop(options.loader().load(), dataDir, key));
        if (dropped.isEmpty()) {
            throw new CliFailure("no change of " + key + " is persisted in " + dataDir.resolve(Overrides.FILE));
        }
        out("Dropped " + String.join(", ", dropped) + ".");
        return 0;
    }

    /** A change of a data directory on which no server runs. */
    private interface Change<T> {
        T make() throws IOException;
    }

    /** Makes a change, excluding a concurrent start of a server. */
    private static <T> T alone(Path dataDir, Change<T> change) throws IOException {
        if (!Files.isDirectory(dataDir)) {
            return change.make();
        }
        try (DataDirectory held = DataDirectory.openBriefly(dataDir)) {
            assert held.path().equals(dataDir);
            return change.make();
        }
    }

    private void out(String line) {
        spec.commandLine().getOut().println(line);
        spec.commandLine().getOut().flush();
    }
}
