package io.weir.server.cli;

import io.weir.base.SystemClock;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** {@code weir deploy|redeploy|undeploy}: hot deployments of the running server's cluster. Each lives for one call. */
final class DeployCommand {
    private DeployCommand() {}

    /** The common part of the three commands. */
    abstract static class Change implements Callable<Integer> {
        @Spec
        CommandSpec spec = CommandSpec.create();

        @Mixin
        private ServerOption server = new ServerOption();

        @Mixin
        private ReasonOption reason = new ReasonOption();

        final AdminClient client() throws IOException {
            return server.client();
        }

        /** Sends the request and prints the outcome; returns the name of the deployment. */
        final String request(AdminClient admin, @Nullable String name, @Nullable String upload) throws IOException {
            String query = AdminClient.query("name", name, "upload", upload, "reason", reason.text());
            Map<String, Object> said = admin.post("/cluster/" + spec.name() + "?" + query)
                    .checked()
                    .object();
            say(String.valueOf(said.get("outcome")));
            return String.valueOf(said.get("name"));
        }

        final void say(String line) {
            spec.commandLine().getOut().println(line);
            spec.commandLine().getOut().flush();
        }
    }

    /** With an archive. */
    abstract static class WithJar extends Change {
        private static final int PIECE = 384 << 10;
        private static final long LOOK_NANOS = Duration.ofMillis(100).toNanos();

        @Parameters(paramLabel = "JAR", description = "the archive")
        private Path jar = Path.of("");

        @Option(
                names = "--wait",
                paramLabel = "SECONDS",
                defaultValue = "120",
                description =
                        "how long to wait until its singletons are active; 0: not at all (default: ${DEFAULT-VALUE})")
        private int wait;

        /** The deployment's name; null to let the server choose it. */
        abstract @Nullable String name(Path file);

        @Override
        public Integer call() throws IOException {
            if (wait < 0) {
                throw new ParameterException(spec.commandLine(), "--wait is a number of seconds, not " + wait);
            }
            if (!Files.isRegularFile(jar)) {
                throw new CliFailure(jar
                        + (Files.isDirectory(jar) ? " is a folder: pack it into a jar" : ": there is no such file"));
            }
            AdminClient admin = client();
            await(admin, request(admin, name(jar), send(admin)));
            return 0;
        }

        /**
         * Waits until each singleton is active, or paused as configured; fails if one failed everywhere, or after the
         * time-out.
         */
        private void await(AdminClient admin, String deployment) throws IOException {
            if (wait <= 0) {
                return;
            }
            long deadline =
                    SystemClock.INSTANCE.nanos() + Duration.ofSeconds(wait).toNanos();
            JsonNode now = progress(admin, deployment);
            while (!now.get("pending").isEmpty() && now.get("failed").isEmpty()) {
                if (SystemClock.INSTANCE.nanos() - deadline >= 0) {
                    throw new CliFailure(
                            "not active within " + wait + " s, and still being tried: " + lines(now.get("pending")));
                }
                LockSupport.parkNanos(LOOK_NANOS);
                now = progress(admin, deployment);
            }
            if (!now.get("failed").isEmpty()) {
                throw new CliFailure("deployed, but " + lines(now.get("failed")));
            }
            now.get("settled").forEach(l -> say(l.asString()));
        }

        private static JsonNode progress(AdminClient admin, String deployment) throws IOException {
            AdminClient.Answer answer =
                    admin.get("/cluster/deployments/progress?" + AdminClient.query("name", deployment));
            return new ObjectMapper().readTree(answer.checked().text());
        }

        private static String lines(JsonNode array) {
            List<String> lines = new ArrayList<>();
            array.forEach(l -> lines.add(l.asString()));
            return String.join("; ", lines);
        }

        /**
         * Uploads the archive in pieces, because the admin listener accepts no larger bodies; returns the server's name
         * for it.
         */
        private String send(AdminClient server) throws IOException {
            Map<String, Object> begun = server.post("/cluster/upload").checked().object();
            String id = String.valueOf(begun.get("upload"));
            int most = Math.min(PIECE, Integer.parseInt(String.valueOf(begun.get("piece"))));
            try (InputStream in = Files.newInputStream(jar)) {
                long sent = 0;
                for (byte[] piece = in.readNBytes(most); piece.length > 0; piece = in.readNBytes(most)) {
                    byte[] body = Base64.getEncoder().encode(piece);
                    var _ = server.post("/cluster/upload?" + AdminClient.query("id", id, "offset", sent), body)
                            .checked();
                    sent += piece.length;
                }
            }
            return id;
        }
    }

    @Command(
            name = "deploy",
            description = "Deploys an archive with singletons on all members.",
            sortOptions = false,
            footerHeading = WeirCommand.EXAMPLE,
            footer = "  ./weir deploy orders.jar --name orders")
    static final class Deploy extends WithJar {
        @Option(names = "--name", paramLabel = "NAME", description = "of the deployment (default: the file's)")
        private @Nullable String name;

        @Override
        @Nullable
        String name(Path jar) {
            String file = String.valueOf(jar.getFileName());
            int dot = file.lastIndexOf('.');
            return name != null ? name : dot > 0 ? file.substring(0, dot) : file;
        }
    }

    @Command(
            name = "redeploy",
            description = "Replaces a deployed archive: active singletons move to the new classes.",
            sortOptions = false)
    static final class Redeploy extends WithJar {
        @Option(
                names = "--name",
                paramLabel = "NAME",
                description = "of the deployment (default: the one that has the archive's singletons)")
        private @Nullable String name;

        @Override
        @Nullable
        String name(Path jar) {
            return name;
        }
    }

    @Command(name = "undeploy", description = "Removes a deployment with its singletons.", sortOptions = false)
    static final class Undeploy extends Change {
        @Parameters(paramLabel = "NAME")
        private String name = "";

        @Override
        public Integer call() throws IOException {
            var _ = request(client(), name, null);
            return 0;
        }
    }
}
