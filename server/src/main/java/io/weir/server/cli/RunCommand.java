package io.weir.server.cli;

import io.weir.base.SystemClock;
import io.weir.server.Running;
import io.weir.server.Server;
import io.weir.server.config.LoadedConfig;
import io.weir.server.docs.Declarations;
import io.weir.server.processes.Supervisor;
import io.weir.server.processes.SupervisorParts;
import io.weir.server.processes.WorkerWords;
import io.weir.server.start.ServerParts;
import io.weir.server.start.StartFailure;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir run}: starts the server, waits until it is stopped, then drains. Lives as long as the server. */
@Command(
        name = "run",
        description = "Starts the server.",
        sortOptions = false,
        footerHeading = WeirCommand.EXAMPLE,
        footer = "  ./weir run --set listeners.http.port=8081 --background")
final class RunCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Option(names = "--background", description = "returns when the server is ready and leaves it running")
    private boolean background;

    @Option(names = "--detached", hidden = true, description = "the background process itself")
    private boolean detached;

    @Override
    public Integer call() throws Exception {
        LoadedConfig loaded = options.loader().load();
        if (!loaded.usable()) {
            CheckCommand.report(loaded, spec.commandLine().getErr());
            return 1;
        }
        Path dataDir = options.dataDir(loaded);
        if (background) {
            String stop = "./weir stop" + options.again();
            return new Background(dataDir, stop, spec.commandLine().getOut()).start();
        }
        Stopper stopper = new Stopper();
        Runtime.getRuntime().addShutdownHook(new Thread(stopper, "weir.Stop"));
        try {
            Running running = loaded.value().server().processes() > 1
                    ? supervise(loaded, dataDir, stopper)
                    : start(loaded, dataDir);
            stopper.stop = running::stop;
            stopper.decided.countDown();
            greet(running, loaded);
            running.announced();
            if (detached) {
                running.detach();
            }
            if (!Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false)) {
                // with a terminal the signal means that the terminal is gone, and ends the server like any program
                HangUp.runs(running::reopenLogs);
            }
            // the server may end by itself; a signal ends the process here
            stopper.status = running.failure().get();
            return stopper.status;
        } finally {
            stopper.decided.countDown();
        }
    }

    private static Server start(LoadedConfig loaded, Path dataDir) {
        try {
            return Server.start(
                    new ServerParts(loaded, dataDir, SystemClock.INSTANCE, System.out, VersionCommand.version()));
        } catch (StartFailure e) {
            throw new CliFailure("the server did not start: " + e.getMessage(), e);
        }
    }

    /** Starts a supervisor that can be stopped while its workers start. */
    private static Supervisor supervise(LoadedConfig loaded, Path dataDir, Stopper stopper) throws IOException {
        try {
            Supervisor supervisor = Supervisor.open(new SupervisorParts(
                    loaded,
                    dataDir,
                    SystemClock.INSTANCE,
                    System.out,
                    WorkerWords.ofThisProcess(),
                    Declarations.statistics()));
            stopper.stop = supervisor::stop;
            stopper.decided.countDown();
            supervisor.ready();
            return supervisor;
        } catch (StartFailure e) {
            stopper.failed();
            throw new CliFailure("the server did not start: " + e.getMessage(), e);
        }
    }

    private void greet(Running running, LoadedConfig loaded) {
        running.flushLog();
        PrintWriter out = spec.commandLine().getOut();
        running.urls().stream().findFirst().ifPresent(base -> {
            String before = "Try:  ";
            for (String command : Suggestions.of(loaded, base)) {
                out.println(before + command);
                before = "      ";
            }
        });
        out.flush();
    }
}
