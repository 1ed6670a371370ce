package io.weir.server.cli;

import io.weir.server.files.DataDirectory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code weir stop}: tells the server of a data directory to drain and waits for its end. A process is signalled only
 * when the directory's lock is held and the process is the one that wrote the pid file. Lives for one call.
 */
@Command(
        name = "stop",
        description = "Stops the server, draining; also one that is still starting.",
        sortOptions = false,
        footerHeading = WeirCommand.EXAMPLE,
        footer = "  ./weir stop")
final class StopCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            defaultValue = "120",
            description = "how long to wait for its end (default: ${DEFAULT-VALUE})")
    private int wait;

    @Override
    public Integer call() throws Exception {
        if (wait < 0) {
            throw new ParameterException(spec.commandLine(), "--wait is a number of seconds, not " + wait);
        }
        Path dataDir = options.dataDir();
        Long pid = DataDirectory.holder(dataDir);
        if (pid == null) {
            throw new CliFailure("no server is running on " + dataDir);
        }
        ProcessHandle process = ProcessHandle.of(pid).orElse(null);
        if (process == null) {
            return 0;
        }
        process.destroy();
        try {
            process.onExit().get(wait, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new CliFailure(
                    "process " + pid + " still drains after "
                            + Duration.ofSeconds(wait).toSeconds() + " s",
                    e);
        } catch (ExecutionException e) {
            throw new CliFailure("cannot watch process " + pid + ": " + e.getMessage(), e);
        }
        spec.commandLine().getOut().println("The server (process " + pid + ") stopped.");
        return 0;
    }
}
