package io.weir.server.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
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

        @Option(
                names = "--admin",
                paramLabel = "HOST:PORT",
                description = "admin listener of a server elsewhere (default: the one of the data directory)")
        private @Nullable String admin;

        @Option(names = "--token-file", paramLabel = "FILE", description = "with --admin: that server's admin.token")
        private @Nullable Path tokenFile;

        @Mixin
        private ReasonOption reason = new ReasonOption();

        final AdminClient client() throws IOException {
            if (admin == null) {
                return AdminClient.of(options.dataDir());
            }
            if (tokenFile == null) {
                throw new CliFailure(
                        "--admin needs --token-file: a copy of admin.token of that server's data directory");
            }
            return AdminClient.at(admin, Files.readString(tokenFile).strip());
        }

        final int ask(AdminClient server, String name, @Nullable String upload) throws IOException {
            String query = AdminClient.query("name", name, "upload", upload, "reason", reason.text());
            Map<String, Object> said = said(server.post("/cluster/" + spec.name() + "?" + query));
            spec.commandLine().getOut().println(said.get("outcome"));
            return 0;
        }

        static Map<String, Object> said(AdminClient.Answer answer) {
            if (answer.status() != 200) {
                throw new CliFailure(ClusterCommand.detail(answer));
            }
            return JmsStatistics.object(answer.text());
        }
    }

    /** With an archive. */
    abstract static class WithJar extends Change {
        private static final int PIECE = 384 << 10;

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
            AdminClient server = client();
            return ask(server, name != null ? name : dot > 0 ? file.substring(0, dot) : file, send(server));
        }

        /** Piece by piece, as the admin listener takes no larger bodies; the name under which the server has it then. */
        private String send(AdminClient server) throws IOException {
            Map<String, Object> begun = said(server.post("/cluster/upload"));
            String id = String.valueOf(begun.get("upload"));
            int most = Math.min(PIECE, Integer.parseInt(String.valueOf(begun.get("piece"))));
            try (InputStream in = Files.newInputStream(jar)) {
                long sent = 0;
                for (byte[] piece = in.readNBytes(most); piece.length > 0; piece = in.readNBytes(most)) {
                    byte[] body = Base64.getEncoder().encode(piece);
                    said(server.post("/cluster/upload?" + AdminClient.query("id", id, "offset", sent), body));
                    sent += piece.length;
                }
            }
            return id;
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
            return ask(client(), name, null);
        }
    }
}
