package io.weir.server.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir deploy|redeploy|undeploy}: hot deployments of the running server's cluster. Each lives for one call. */
final class DeployCommand {
    private DeployCommand() {}

    /** What the three have in common. */
    abstract static class Change implements Callable<Integer> {
        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Mixin
        private ConfigOptions options = new ConfigOptions();

        @Option(names = "--reason", paramLabel = "TEXT", description = "why, for the audit line")
        private @Nullable String reason;

        final int ask(String name, @Nullable Path jar) throws IOException {
            String verb = spec.name();
            String query = AdminClient.query("name", name, "file", jar, "reason", reason);
            AdminClient.Answer answer = AdminClient.of(options.dataDir()).post("/cluster/" + verb + "?" + query);
            if (answer.status() != 200) {
                throw new CliFailure(ClusterCommand.detail(answer));
            }
            Map<String, Object> said = JmsStatistics.object(answer.text());
            spec.commandLine().getOut().println(said.get("outcome"));
            return 0;
        }
    }

    /** With an archive. */
    abstract static class WithJar extends Change {
        @Parameters(paramLabel = "JAR", description = "the archive")
        private Path jar = Path.of("");

        @Option(names = "--name", paramLabel = "NAME", description = "of the deployment (default: the file's)")
        private @Nullable String name;

        @Override
        public Integer call() throws IOException {
            if (!Files.isRegularFile(jar)) {
                throw new CliFailure(jar + ": there is no such file");
            }
            String file = String.valueOf(jar.getFileName());
            int dot = file.lastIndexOf('.');
            return ask(name != null ? name : dot > 0 ? file.substring(0, dot) : file, jar.toAbsolutePath());
        }
    }

    @Command(name = "deploy", description = "Deploys an archive with singletons on all members.", sortOptions = false)
    static final class Deploy extends WithJar {}

    @Command(
            name = "redeploy",
            description = "Deploys an archive anew: active singletons move to the new classes.",
            sortOptions = false)
    static final class Redeploy extends WithJar {}

    @Command(name = "undeploy", description = "Takes a deployment away with its singletons.", sortOptions = false)
    static final class Undeploy extends Change {
        @Parameters(paramLabel = "NAME")
        private String name = "";

        @Override
        public Integer call() throws IOException {
            return ask(name, null);
        }
    }
}
