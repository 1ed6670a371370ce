package io.weir.server.cli;

import io.weir.server.files.DataDirectory;
import io.weir.server.processes.Supervisor;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code weir upgrade}: replaces the workers of a server of several processes by workers of this process's version,
 * with the configuration on the disk. Lives for one call.
 */
@Command(
        name = "upgrade",
        description = "Replaces the worker processes by new ones, from the program and configuration on the disk.",
        sortOptions = false,
        footerHeading = WeirCommand.EXAMPLE,
        footer = "  ./weir upgrade")
final class UpgradeCommand implements Callable<Integer> {
    private static final String RUNNING = "{\"upgrade\":\"running\"}";
    private static final String STOPPED = "{\"upgrade\":\"stopped\"}";
    private static final String DONE = "{\"upgrade\":\"done\"}";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Override
    public Integer call() throws Exception {
        Path dataDir = options.dataDir();
        AdminClient admin = AdminClient.of(dataDir);
        if (admin.get("/upgrade").status() != HttpURLConnection.HTTP_OK) {
            throw new CliFailure("the server on " + dataDir
                    + " is one process (server.processes is 1): stop it and run it again to upgrade it");
        }
        Supervisor.program(dataDir);
        AdminClient.Answer answer = admin.post("/upgrade");
        if (answer.status() != 202) {
            throw new CliFailure(answer.detail());
        }
        String state = RUNNING;
        while (state.equals(RUNNING)) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            state = state(admin, dataDir);
        }
        if (state.equals(STOPPED)) {
            throw new CliFailure("the server was stopped before the upgrade was done");
        }
        if (!state.equals(DONE)) {
            throw new CliFailure("the old processes continue: " + reason(state));
        }
        spec.commandLine().getOut().println("New processes serve; the old ones drain.");
        return 0;
    }

    /** The upgrade's state; a server that has ended in the meantime ends it. */
    private static String state(AdminClient admin, Path dataDir) throws IOException {
        try {
            return admin.get("/upgrade").text().strip();
        } catch (IOException e) {
            if (DataDirectory.running(dataDir) == null) {
                throw new CliFailure("the server ended before the upgrade was done: " + e.getMessage(), e);
            }
            throw e;
        }
    }

    /** The reason in the answer. */
    private static String reason(String json) {
        String start = "{\"upgrade\":\"failed: ";
        int from = json.startsWith(start) ? start.length() : 0;
        return json.substring(from, Math.max(from, json.length() - 2))
                .replace("\\n", "\n")
                .replace("\\\"", "\"")
                .replace("\\\\", "\\");
    }
}
