package io.weir.lab.verb;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command line of a verb of room {@code lab}, like those of the server: {@code -h}, {@code --help}, messages about
 * wrong options, and exit codes: 0 done, 1 could not, 2 misused. Stateless.
 */
public final class VerbLine {
    private static final int WIDTH = 120;

    private VerbLine() {}

    /**
     * Adds the common settings to a command with its subcommands.
     *
     * @param message the message of a failure
     */
    public static CommandLine of(
            CommandLine line, PrintStream out, PrintStream err, Function<Exception, String> message) {
        offerHelp(line);
        line.setUsageHelpWidth(WIDTH);
        line.setOut(new PrintWriter(out, true, StandardCharsets.UTF_8));
        line.setErr(new PrintWriter(err, true, StandardCharsets.UTF_8));
        line.setParameterExceptionHandler((e, _) -> misused(e));
        line.setExecutionExceptionHandler((e, c, _) -> failed(message.apply(e), e, c));
        return line;
    }

    private static void offerHelp(CommandLine line) {
        line.getCommandSpec()
                .addOption(OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("prints this")
                        .build());
        line.getSubcommands().values().forEach(VerbLine::offerHelp);
    }

    private static int misused(ParameterException e) {
        CommandLine c = e.getCommandLine();
        c.getErr().println("weir: " + message(e, c));
        c.usage(c.getErr());
        return c.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static String message(ParameterException e, CommandLine c) {
        if (e instanceof UnmatchedArgumentException u) {
            String word = u.getUnmatched().getFirst();
            if (word.startsWith("-")) {
                return "unknown option: " + word + "; there are " + names(c.getCommandSpec());
            }
            Map<String, CommandLine> verbs = c.getSubcommands();
            if (!verbs.isEmpty()) {
                return c.getCommandName() + " has no " + word + "; it has " + String.join(", ", verbs.keySet());
            }
        }
        return String.valueOf(e.getMessage());
    }

    private static String names(CommandSpec spec) {
        return spec.options().stream()
                .filter(o -> !o.usageHelp())
                .map(OptionSpec::longestName)
                .collect(Collectors.joining(", "));
    }

    private static int failed(String message, Exception e, CommandLine c) {
        if (e instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        c.getErr().println("weir: " + message);
        return c.getCommandSpec().exitCodeOnExecutionException();
    }

    /**
     * The item with this name.
     *
     * @throws TypeConversionException with all possible names
     */
    public static <T> T named(String name, Collection<T> all, Function<T, String> nameOf) {
        return all.stream()
                .filter(one -> nameOf.apply(one).equals(name))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException(
                        "`" + name + "` is none of " + all.stream().map(nameOf).collect(Collectors.joining(", "))));
    }

    /**
     * Rejects a number that is out of range.
     *
     * @param value null for an option that was not given
     */
    public static void range(CommandSpec spec, String option, @Nullable Number value, long min, long max) {
        if (value != null && (value.longValue() < min || value.longValue() > max)) {
            throw new ParameterException(
                    spec.commandLine(), option + " takes " + min + " to " + max + ", not " + value);
        }
    }
}
