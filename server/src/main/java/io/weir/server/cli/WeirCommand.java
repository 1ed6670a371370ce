package io.weir.server.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code weir} with its verbs. Has the verbs that are added to it. Lives for one call. */
@Command(
        name = "weir",
        description = "Weir: a caching HTTP proxy, a messaging broker and cluster-wide singletons on one I/O kernel.",
        synopsisSubcommandLabel = "VERB",
        sortOptions = false)
final class WeirCommand implements Runnable {
    /** The heading of the examples in a verb's usage; each line below it is a working command line. */
    static final String EXAMPLE = "%nExample:%n";

    /** The verbs, in the order of the usage. */
    static final List<Class<?>> VERBS = List.of(
            RunCommand.class,
            WorkerCommand.class,
            TrainCommand.class,
            DocsCommand.class,
            StopCommand.class,
            UpgradeCommand.class,
            CheckCommand.class,
            ConfigCommand.class,
            PasswdCommand.class,
            JmsCommand.class,
            ClusterCommand.class,
            DeployCommand.Deploy.class,
            DeployCommand.Redeploy.class,
            DeployCommand.Undeploy.class,
            LogCommand.class,
            ViewCommand.Perfdump.class,
            ViewCommand.StatsXml.class,
            HistoryCommand.class,
            TlsCommand.class,
            VersionCommand.class);

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(new CommandLine(spec), "a verb is missing");
    }
}
