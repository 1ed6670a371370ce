package io.weir.server.cli;

import picocli.CommandLine;

/** Entry of every verb that needs Java. Exit codes: 0 done, 1 failed, 2 wrong usage. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    /** Runs one verb and returns its exit code. */
    static int run(String... arguments) {
        CommandLine line = new CommandLine(new WeirCommand());
        line.setExecutionExceptionHandler((e, c, _) -> {
            c.getErr().println("weir: " + (e instanceof CliFailure ? e.getMessage() : e.toString()));
            return 1;
        });
        return line.execute(arguments);
    }
}
