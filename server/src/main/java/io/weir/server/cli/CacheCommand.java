package io.weir.server.cli;

import io.weir.server.cli.text.CacheText;
import io.weir.server.cli.text.PrintableOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir cache}: what the running server has stored. Lives for one call. */
@Command(
        name = "cache",
        description = "Shows what the running server has stored, in all its processes.",
        subcommands = {CacheCommand.Show.class, CacheCommand.Top.class},
        synopsisSubcommandLabel = "WHAT",
        sortOptions = false,
        footerHeading = WeirCommand.EXAMPLE,
        footer = {"  ./weir cache show http://www.example.com/", "  ./weir cache top"})
final class CacheCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(new CommandLine(spec), "a verb is missing: show or top");
    }

    /** {@code weir cache show}. */
    @Command(
            name = "show",
            description =
                    "Shows what is stored for a URL: in memory, on disk or both, where, and until when it is fresh.",
            sortOptions = false,
            footerHeading = WeirCommand.EXAMPLE,
            footer = "  ./weir cache show http://www.example.com/ -H \"Accept-Encoding: gzip\"")
    static final class Show implements Callable<Integer> {
        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Mixin
        private ServerOption server = new ServerOption();

        @Parameters(paramLabel = "URL", description = "an absolute URL, as clients request it")
        private String url = "";

        @Option(
                names = "-H",
                paramLabel = "NAME: VALUE",
                description = "a field of the request, which selects a variant; may be repeated")
        private List<String> fields = new ArrayList<>();

        @Option(names = "--json", description = "the server's answer as it is, for programs")
        private boolean json;

        @Override
        public Integer call() throws IOException {
            for (String field : fields) {
                if (field.indexOf(':') <= 0) {
                    throw new ParameterException(spec.commandLine(), "-H is \"NAME: VALUE\", not " + field);
                }
            }
            String query = AdminClient.query("url", url, "fields", fields.isEmpty() ? null : String.join("\n", fields));
            String answer = server.client().get("/cache?" + query).checked().text();
            PrintableOutput.printContent(spec, json ? answer : CacheText.show(answer));
            return 0;
        }
    }

    /** {@code weir cache top}. */
    @Command(
            name = "top",
            description = "Shows the objects in memory with most hits, or those that take most of it.",
            sortOptions = false,
            footerHeading = WeirCommand.EXAMPLE,
            footer = "  ./weir cache top -n 5 --by bytes")
    static final class Top implements Callable<Integer> {
        /** By what. */
        enum By {
            hits,
            bytes
        }

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Mixin
        private ServerOption server = new ServerOption();

        @Option(names = "-n", paramLabel = "N", description = "how many, at most 1000 (default: ${DEFAULT-VALUE})")
        private int lines = 20;

        @Option(
                names = "--by",
                paramLabel = "WHAT",
                description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
        private By by = By.hits;

        @Option(names = "--json", description = "the server's answer as it is, for programs")
        private boolean json;

        @Override
        public Integer call() throws IOException {
            if (lines < 1 || lines > 1000) {
                throw new ParameterException(spec.commandLine(), "-n is a number from 1 to 1000, not " + lines);
            }
            String answer = server.client()
                    .get("/cache/top?" + AdminClient.query("n", lines, "by", by))
                    .checked()
                    .text();
            PrintableOutput.printContent(spec, json ? answer : CacheText.top(answer));
            return 0;
        }
    }
}
