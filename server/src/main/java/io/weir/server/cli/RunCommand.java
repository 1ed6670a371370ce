package io.weir.server.cli;

import io.weir.server.config.LoadedConfig;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir run}: starts the server and stays until it is stopped. Lives as long as the server. */
@Command(name = "run", description = "Starts the server.", sortOptions = false)
final class RunCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Option(names = "--background", description = "returns when the server is ready and leaves it running")
    private boolean background;

    @Override
    public Integer call() {
        LoadedConfig loaded = options.loader().load();
        if (!loaded.usable()) {
            CheckCommand.report(loaded, spec.commandLine().getErr());
            return 1;
        }
        return 0;
    }
}
