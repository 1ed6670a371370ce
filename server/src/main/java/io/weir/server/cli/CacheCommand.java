package io.weir.server.cli;

import io.weir.server.cli.text.CacheText;
import io.weir.server.cli.text.PrintableOutput;
import java.io.IOException;
import java.net.HttpURLConnection;
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

/** {@code weir cache}: what the running server has stored, and its removal. Lives for one call. */
@Command(
        name = "cache",
        description = "Shows what the running server has stored, in all its processes, or removes it.",
        subcommands = {CacheCommand.Show.class, CacheCommand.Top.class, CacheCommand.Purge.class},
        synopsisSubcommandLabel = "WHAT",
        sortOptions = false,
        footerHeading = WeirCommand.EXAMPLE,
        footer = {
            "  ./weir cache show http://www.example.com/",
            "  ./weir cache top",
            "  ./weir cache purge http://www.example.com/"
        })
final class CacheCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(new CommandLine(spec), "a verb is missing: show, top or purge");
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

    /** {@code weir cache purge}. */
    @Command(
            name = "purge",
            description = {
                "Removes what is stored for URLs, or everything: in memory and on disk, in all processes, and at all"
                        + " members of a cluster.",
                "Exit status: 0 all of them have applied it; 1 it failed, or was not confirmed; 2 wrong usage; 3 it is"
                        + " certain, but members that cannot be reached now apply it later."
            },
            sortOptions = false,
            footerHeading = WeirCommand.EXAMPLE,
            footer = "  ./weir cache purge http://www.example.com/")
    static final class Purge implements Callable<Integer> {
        private static final int PENDING = 3;

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Mixin
        private ServerOption server = new ServerOption();

        @Parameters(paramLabel = "URL", arity = "0..*", description = "absolute URLs, as clients request them")
        private List<String> urls = new ArrayList<>();

        @Option(names = "--all", description = "everything")
        private boolean all;

        @Option(names = "--json", description = "the server's answers as they are, a line each, for programs")
        private boolean json;

        @Override
        public Integer call() throws IOException {
            if (all == !urls.isEmpty()) {
                throw new ParameterException(
                        spec.commandLine(),
                        all
                                ? "--all removes everything: give no URL with it"
                                : "what is to be removed? URL... or --all");
            }
            for (String url : urls) {
                if (!url.matches("(?i)https?://[^#]+")) {
                    throw new ParameterException(
                            spec.commandLine(), "a URL is http://... or https://..., without a fragment, not " + url);
                }
            }
            AdminClient client = server.client();
            int worst = 0;
            for (String url : all ? List.of("") : urls) {
                String query = all ? "all" : AdminClient.query("url", url);
                worst = told(client.delete("/cache?" + query), all ? "everything" : url, worst);
            }
            return worst;
        }

        /** Prints one; returns the worse status. */
        private int told(AdminClient.Answer answer, String what, int before) {
            boolean done = answer.status() == HttpURLConnection.HTTP_OK;
            if (json) {
                PrintableOutput.printContent(spec, answer.text());
            } else if (done) {
                spec.commandLine().getOut().println(what + ": " + CacheText.purged(answer.text()));
            } else {
                spec.commandLine().getErr().println("weir: " + what + ": " + answer.detail());
            }
            if (!done) {
                return 1;
            }
            return before == 0 && CacheText.pending(answer.text()) ? PENDING : before;
        }
    }
}
