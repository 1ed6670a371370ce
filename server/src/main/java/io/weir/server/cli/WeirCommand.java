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

    /**
     * A verb. Its class has the name, too; but to read the annotations of all verbs takes longer than most of them do.
     */
    record Verb(String name, Class<?> type) {}

    /** The verbs, in the order of the usage. */
    static final List<Verb> VERBS = List.of(
            new Verb("run", RunCommand.class),
            new Verb("worker", WorkerCommand.class),
            new Verb("train", TrainCommand.class),
            new Verb("docs", DocsCommand.class),
            new Verb("stop", StopCommand.class),
            new Verb("upgrade", UpgradeCommand.class),
            new Verb("check", CheckCommand.class),
            new Verb("migrate", MigrateCommand.class),
            new Verb("config", ConfigCommand.class),
            new Verb("passwd", PasswdCommand.class),
            new Verb("cache", CacheCommand.class),
            new Verb("jms", JmsCommand.class),
            new Verb("cluster", ClusterCommand.class),
            new Verb("deploy", DeployCommand.Deploy.class),
            new Verb("redeploy", DeployCommand.Redeploy.class),
            new Verb("undeploy", DeployCommand.Undeploy.class),
            new Verb("log", LogCommand.class),
            new Verb("perfdump", ViewCommand.Perfdump.class),
            new Verb("stats-xml", ViewCommand.StatsXml.class),
            new Verb("history", HistoryCommand.class),
            new Verb("cachegc", CacheGcCommand.class),
            new Verb("tls", TlsCommand.class),
            new Verb("version", VersionCommand.class));

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(new CommandLine(spec), "a verb is missing");
    }
}
