package io.weir.server.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code weir version}. Lives for one call. */
@Command(name = "version", description = "Prints the version.")
final class VersionCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        spec.commandLine().getOut().println("Weir " + version() + " on Java " + Runtime.version());
        return 0;
    }

    /** The version of the jar, or {@code development} when run from classes. */
    static String version() {
        String v = VersionCommand.class.getPackage().getImplementationVersion();
        return v == null ? "development" : v;
    }
}
