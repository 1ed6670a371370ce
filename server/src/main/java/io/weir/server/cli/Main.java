package io.weir.server.cli;

import io.weir.base.IoReason;
import io.weir.base.Printable;
import io.weir.server.cli.text.PrintableOutput;
import io.weir.server.config.History;
import io.weir.server.files.NotWritten;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Entry of every verb that needs Java. Exit codes: 0 done, 1 failed, 2 wrong usage, 70 a server that failed. */
public final class Main {
    static final String MACHINE_ID = "io.netty.machineId";

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    /**
     * Runs one verb and returns its exit code. Netty would look for a hardware address, for the names of channels in its
     * own logs, and warn on standard error of each verb where the machine has none.
     */
    static int run(String... arguments) {
        if (System.getProperty(MACHINE_ID) == null) {
            System.setProperty(MACHINE_ID, "02:00:00:00:00:01");
        }
        return line(arguments).execute(arguments);
    }

    /** All verbs. */
    static CommandLine line() {
        return with(WeirCommand.VERBS);
    }

    /** What parses the arguments: picocli's model of all verbs would take longer than what most verbs do. */
    static CommandLine line(String... arguments) {
        for (WeirCommand.Verb v : WeirCommand.VERBS) {
            if (arguments.length > 0 && v.name().equals(arguments[0])) {
                return with(List.of(v));
            }
        }
        return line();
    }

    private static CommandLine with(List<WeirCommand.Verb> verbs) {
        CommandLine line = new CommandLine(new WeirCommand());
        verbs.forEach(v -> line.addSubcommand(v.type()));
        offerHelp(line);
        line.setExecutionStrategy(parsed -> {
            // help has colours where a terminal has them, and no text of others
            Integer helped = CommandLine.executeHelpRequest(parsed);
            if (helped != null) {
                return helped;
            }
            // the verbs below it get the same: an output of their own would escape what passes the one above them
            line.setOut(new PrintableOutput(line.getOut()));
            line.setErr(new PrintableOutput(line.getErr()));
            return new CommandLine.RunLast().execute(parsed);
        });
        line.setExecutionExceptionHandler((e, c, _) -> {
            c.getErr().println("weir: " + Printable.text(message(e)));
            return 1;
        });
        line.setParameterExceptionHandler((e, _) -> wrongUsage(e));
        return line;
    }

    /** As picocli does it, with our text where its own says little. */
    private static int wrongUsage(ParameterException e) {
        CommandLine c = e.getCommandLine();
        PrintWriter err = PrintableOutput.raw(c.getErr());
        err.println(Printable.text(message(e, c)));
        if (!UnmatchedArgumentException.printSuggestions(e, err)) {
            c.usage(err);
        }
        err.flush();
        return c.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static String message(ParameterException e, CommandLine c) {
        if (e instanceof UnmatchedArgumentException u
                && !c.getSubcommands().isEmpty()
                && !u.getUnmatched().getFirst().startsWith("-")) {
            return c.getCommandName() + " has no verb " + u.getUnmatched().getFirst() + "; it has "
                    + String.join(", ", c.getSubcommands().keySet());
        }
        // picocli speaks of indexes and Java's types, and repeats the word for options that take NAME=VALUE
        return String.valueOf(e.getMessage())
                .replace("option option ", "option ")
                .replaceFirst(
                        "^Unmatched arguments? (at|from) index \\d+: ",
                        c.getCommandSpec().qualifiedName() + " takes no more words: ")
                .replaceFirst("positional parameter at index \\d+ \\((.*?)\\):", "$1:")
                .replaceFirst(" is not an int$", " is no whole number up to " + Integer.MAX_VALUE)
                .replaceFirst(" is not a long$", " is no whole number up to " + Long.MAX_VALUE);
    }

    private static void offerHelp(CommandLine line) {
        line.getCommandSpec()
                .addOption(OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("prints this")
                        .build());
        line.getSubcommands().values().forEach(Main::offerHelp);
    }

    /** The message of expected failures; with the exception's class where only that tells what happened. */
    static String message(Exception e) {
        boolean ours = e instanceof CliFailure
                || e instanceof History.Missing
                || e instanceof NotWritten
                || e.getClass() == IOException.class;
        if (!ours && e instanceof FileSystemException f) {
            return IoReason.of(f);
        }
        return ours && e.getMessage() != null ? e.getMessage() : e.toString();
    }
}
