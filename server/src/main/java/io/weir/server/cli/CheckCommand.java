package io.weir.server.cli;

import io.weir.base.ConfigProblem;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir check}: reads a configuration and reports everything that is wrong with it. Lives for one call. */
@Command(name = "check", description = "Checks a configuration and reports every problem.", sortOptions = false)
final class CheckCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", arity = "0..1", paramLabel = "FILE", description = "the configuration file")
    private @Nullable Path file;

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Option(names = "--print-default", description = "prints the embedded default configuration")
    private boolean printDefault;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        if (printDefault) {
            out.print(ConfigLoader.defaultText());
            out.flush();
            return 0;
        }
        LoadedConfig loaded = (file == null ? options.loader() : options.loaderFor(file)).load();
        if (!loaded.usable()) {
            report(loaded, spec.commandLine().getErr());
            return 1;
        }
        out.println(loaded.source() + ": the configuration is correct.");
        return 0;
    }

    /** Prints every problem, one a line. */
    static void report(LoadedConfig loaded, PrintWriter err) {
        for (ConfigProblem p : loaded.problems()) {
            err.println(p);
        }
        int n = loaded.problems().size();
        err.println("weir: " + n + (n == 1 ? " problem" : " problems") + " in the configuration " + loaded.source());
    }
}
