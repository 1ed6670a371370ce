package io.weir.server.cli;

import io.weir.base.Durations;
import io.weir.base.SystemClock;
import io.weir.proxy.accesslog.AccessLogConfig;
import io.weir.proxy.accesslog.AccessLogs;
import io.weir.proxy.program.config.ProxyConfig;
import io.weir.server.config.LoadedConfig;
import io.weir.server.logtop.LogTop;
import io.weir.server.processes.Supervisor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir log}: analyses the access logs and manages their files. Lives for one call. */
@Command(
        name = "log",
        description = "Analyses the access logs and manages their files.",
        subcommands = {LogCommand.Top.class, LogCommand.Rotate.class, LogCommand.Reopen.class},
        synopsisSubcommandLabel = "WHAT",
        sortOptions = false,
        footerHeading = WeirCommand.EXAMPLE,
        footer = {"  ./weir log top --since 10m", "  ./weir log rotate"})
final class LogCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(new CommandLine(spec), "a verb is missing: top, rotate or reopen");
    }

    /** {@code weir log top}. */
    @Command(
            name = "top",
            description = "Prints the busiest hosts, the busiest and slowest URLs and the status by minute.",
            sortOptions = false,
            footerHeading = WeirCommand.EXAMPLE,
            footer = "  ./weir log top --since 10m --lines 5")
    static final class Top implements Callable<Integer> {
        private static final int MOST_LINES = 1000;

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Mixin
        private ConfigOptions options = new ConfigOptions();

        @Parameters(
                arity = "0..*",
                paramLabel = "FILE",
                description =
                        "access logs, the oldest first, .gz or not; without any, the configured one, of all processes")
        private List<Path> files = new ArrayList<>();

        @Option(
                names = "--log",
                paramLabel = "NAME",
                description = "the configured log: ${DEFAULT-VALUE} is proxy.access-log",
                defaultValue = AccessLogs.GLOBAL)
        private String log = AccessLogs.GLOBAL;

        @Option(names = "--all", description = "reads rotated files, too")
        private boolean all;

        @Option(
                names = "--since",
                paramLabel = "TIME",
                description = "skips older records: 10m, 2h, 1d or 2026-11-22T06:00:00Z")
        private @Nullable String since;

        @Option(names = "--follow", description = "keeps reading, through rotations, and prints periodically")
        private boolean follow;

        @Option(
                names = "--interval",
                paramLabel = "TIME",
                description = "how often --follow prints (default: ${DEFAULT-VALUE})",
                defaultValue = "2s")
        private String interval = "2s";

        @Option(
                names = "--lines",
                paramLabel = "N",
                description = "lines of each table (default: ${DEFAULT-VALUE})",
                defaultValue = "10")
        private int lines = 10;

        @Option(names = "--queries", description = "treats URLs with different queries as different")
        private boolean queries;

        @Option(names = "--json", description = "prints one JSON object")
        private boolean json;

        @Override
        public Integer call() throws IOException {
            if (lines < 1 || lines > MOST_LINES) {
                throw new ParameterException(
                        spec.commandLine(), "--lines is from 1 to " + MOST_LINES + " lines, not " + lines);
            }
            if (!duration(interval).isPositive()) {
                throw new ParameterException(spec.commandLine(), "--interval must be longer than 0, not " + interval);
            }
            if (follow && all) {
                throw new ParameterException(spec.commandLine(), "--follow does not read rotated files");
            }
            long from = from();
            String hint = "";
            List<Path> read = files;
            if (files.isEmpty()) {
                LoadedConfig loaded = options.loader().load();
                AccessLogConfig config = configured(loaded);
                read = files(loaded, config);
                hint = config.format() == AccessLogConfig.Style.OFF
                        ? ": none is written, " + key() + ".format is off"
                        : "";
                if (read.isEmpty()) {
                    throw new CliFailure("there is no access log " + config.file() + " of any process" + hint);
                }
            }
            for (Path file : read) {
                if (!Files.isReadable(file)) {
                    throw new CliFailure("the access log " + file + " does not exist or cannot be read" + hint);
                }
            }
            LogTop top = new LogTop(new LogTop.Question(from, lines, queries, json), ZoneId.systemDefault());
            if (follow) {
                top.follow(read, duration(interval), spec.commandLine().getOut(), () -> true);
            } else {
                top.read(read, spec.commandLine().getOut());
            }
            return 0;
        }

        private String key() {
            return log.equals(AccessLogs.GLOBAL) ? "proxy.access-log" : "proxy.access-logs." + log;
        }

        private AccessLogConfig configured(LoadedConfig loaded) {
            ProxyConfig proxy = loaded.value().proxy();
            AccessLogConfig config = log.equals(AccessLogs.GLOBAL)
                    ? proxy.accessLog()
                    : proxy.accessLogs().get(log);
            if (config == null) {
                throw new CliFailure("there is no access log " + log + " in proxy.access-logs");
            }
            return config;
        }

        private List<Path> files(LoadedConfig loaded, AccessLogConfig config) throws IOException {
            List<Path> read = new ArrayList<>();
            for (Path file :
                    files(options.dataDir(loaded), loaded.value().server().processes(), config.file())) {
                if (all) {
                    read.addAll(AccessLogs.rotatedFiles(file));
                }
                read.add(file);
            }
            return read;
        }

        /** The files of all processes, or the single one that all write. */
        private static List<Path> files(Path dataDir, int processes, String name) {
            Path one = dataDir.resolve(name);
            if (processes == 1 || Path.of(name).isAbsolute()) {
                return List.of(one);
            }
            return IntStream.rangeClosed(1, processes)
                    .mapToObj(i -> Supervisor.folderOf(dataDir, i).resolve(name))
                    .filter(Files::exists)
                    .toList();
        }

        private long from() {
            String text = since;
            if (text == null) {
                return 0;
            }
            try {
                return Instant.parse(text).toEpochMilli();
            } catch (DateTimeException e) {
                return SystemClock.INSTANCE.millis() - duration(text).toMillis();
            }
        }

        private Duration duration(String text) {
            try {
                return Durations.parse(text);
            } catch (IllegalArgumentException e) {
                throw new ParameterException(
                        spec.commandLine(), "expected a time such as 10m or 2h, found \"" + text + "\"", e);
            }
        }
    }

    /** {@code weir log rotate}. */
    @Command(name = "rotate", description = "Rotates the access logs' files.", sortOptions = false)
    static final class Rotate implements Callable<Integer> {
        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Mixin
        private ConfigOptions options = new ConfigOptions();

        @Option(names = "--log", paramLabel = "NAME", description = "only this one")
        private @Nullable String log;

        @Override
        public Integer call() throws IOException {
            String query = AdminClient.query("log", log);
            return post(spec, options, "/access-log/rotate" + (query.isEmpty() ? "" : "?" + query));
        }
    }

    /** {@code weir log reopen}. */
    @Command(
            name = "reopen",
            description = "Reopens the access logs' files, after they were moved.",
            sortOptions = false)
    static final class Reopen implements Callable<Integer> {
        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Mixin
        private ConfigOptions options = new ConfigOptions();

        @Override
        public Integer call() throws IOException {
            return post(spec, options, "/access-log/reopen");
        }
    }

    private static int post(CommandSpec spec, ConfigOptions options, String path) throws IOException {
        AdminClient.Answer answer = AdminClient.of(options.dataDir()).post(path);
        spec.commandLine().getOut().print(answer.checked().text());
        spec.commandLine().getOut().flush();
        return 0;
    }
}
