package io.weir.server.cli;

import io.weir.base.StatSpec;
import io.weir.base.SystemClock;
import io.weir.server.docs.Declarations;
import io.weir.server.history.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir history}: past statistics, of a running server or of one that no longer runs. Lives for one call. */
@Command(
        name = "history",
        description =
                "Shows the history of a statistic, from the data directory; without a name, lists the statistics.",
        sortOptions = false,
        footerHeading = WeirCommand.EXAMPLE,
        footer = "  ./weir history --since 30m")
final class HistoryCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Parameters(
            paramLabel = "METRIC",
            arity = "0..1",
            description = "a statistic of docs/counters.md; weir_ may be left out")
    private @Nullable String metric;

    @Option(names = "--label", paramLabel = "NAME=VALUE", description = "only with this label; may be repeated")
    private List<String> labels = new ArrayList<>();

    @Option(names = "--since", paramLabel = "TIME", description = "how far back, such as 30m or 7d (default: 1h)")
    private @Nullable String since;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            description = "a time such as 2026-01-31T10:00:00Z, instead of --since")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = "TIME", description = "a time (default: now)")
    private @Nullable String to;

    @Option(names = "--step", paramLabel = "TIME", description = "time of one point (default: a 60th of the whole)")
    private @Nullable String step;

    @Option(names = "--format", paramLabel = "FORM", description = "text, json or csv (default: text)")
    private @Nullable String format;

    @Override
    public Integer call() throws IOException {
        for (String label : labels) {
            if (label.indexOf('=') <= 0) {
                throw new ParameterException(spec.commandLine(), "--label is NAME=VALUE, not " + label);
            }
        }
        Path dataDir = options.dataDir();
        Map<String, String> asked = new HashMap<>();
        put(asked, "metric", metric);
        put(asked, "labels", labels.isEmpty() ? null : String.join(",", labels));
        put(asked, "since", since);
        put(asked, "from", from);
        put(asked, "to", to);
        put(asked, "step", step);
        put(asked, "format", format);
        Map<String, StatSpec> declared =
                Declarations.statistics().stream().collect(Collectors.toMap(StatSpec::name, Function.identity()));
        try {
            String text = new Report(dataDir, declared::get).answer(asked, SystemClock.INSTANCE.millis());
            if (text.isEmpty()) {
                throw new CliFailure("nothing was recorded in " + dataDir
                        + " yet: a server writes its first row after history.interval");
            }
            spec.commandLine().getOut().print(text);
            spec.commandLine().getOut().flush();
            return 0;
        } catch (Report.Refused e) {
            if (e.malformed()) {
                throw new ParameterException(spec.commandLine(), "--" + e.getMessage(), e);
            }
            throw new CliFailure(String.valueOf(e.getMessage()), e);
        }
    }

    private static void put(Map<String, String> asked, String name, @Nullable String value) {
        if (value != null) {
            asked.put(name, value);
        }
    }
}
