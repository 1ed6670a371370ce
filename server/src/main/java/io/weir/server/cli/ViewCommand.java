package io.weir.server.cli;

import io.weir.server.cli.text.PrintableOutput;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints a view of the running server. Lives for one call. */
abstract sealed class ViewCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    private final String path;

    ViewCommand(String path) {
        this.path = path;
    }

    @Override
    public Integer call() throws Exception {
        AdminClient.Answer answer = AdminClient.of(options.dataDir()).get(path);
        PrintableOutput.printContent(spec, answer.checked().text());
        return 0;
    }

    /** {@code weir perfdump}. */
    @Command(name = "perfdump", description = "Prints the running server's perfdump.", sortOptions = false)
    static final class Perfdump extends ViewCommand {
        Perfdump() {
            super("/.perf");
        }
    }

    /** {@code weir stats-xml}. */
    @Command(name = "stats-xml", description = "Prints the running server's stats-xml.", sortOptions = false)
    static final class StatsXml extends ViewCommand {
        StatsXml() {
            super("/stats-xml");
        }
    }
}
