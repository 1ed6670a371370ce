package io.weir.server.cli;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code weir jms}: messages from the shell. Sending, receiving and browsing is what any client does; statistics, moving,
 * deleting and pausing go through the admin listener of the server on the data directory. Lives for one call.
 */
@Command(
        name = "jms",
        description = "Sends, receives and looks after messages. A DESTINATION is queue/NAME or topic/NAME.",
        subcommands = {JmsSendCommand.class, JmsReceiveCommand.class, JmsBrowseCommand.class},
        synopsisSubcommandLabel = "WHAT",
        sortOptions = false)
final class JmsCommand implements Runnable {
    private static final String SELECTOR = "only messages that a selector matches, such as \"colour = 'red'\"";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(
                new CommandLine(spec), "jms needs send, receive, browse, stats, damage, move, delete, pause or resume");
    }

    @Command(name = "stats", description = "Lists the destinations with their messages.")
    int stats(@Mixin ConfigOptions options) throws IOException {
        AdminClient.Answer answer = AdminClient.of(options.dataDir()).get("/messaging");
        if (answer.status() == 404) {
            throw new CliFailure("the server on " + options.dataDir() + " has no listener for messaging");
        }
        if (answer.status() != 200) {
            throw new CliFailure("the server answered " + answer.status() + ": "
                    + answer.text().strip());
        }
        out(JmsStatistics.table(answer.text()));
        return 0;
    }

    @Command(
            name = "damage",
            description = "Lists what was found damaged in the journals and nobody acknowledged, and what was lost.")
    int damage(
            @Mixin ConfigOptions options,
            @Option(names = "--json", description = "for programs") boolean json,
            @Option(names = "--acknowledge", description = "says that somebody has seen what is listed")
                    boolean acknowledge)
            throws IOException {
        out(new JmsDamage(options.dataDir()).list(json, acknowledge));
        return 0;
    }

    @Command(name = "move", description = "Moves waiting messages to another destination.")
    int move(
            @Mixin ConfigOptions options,
            @Parameters(paramLabel = "FROM", description = "a queue, or topic/NAME#SUBSCRIPTION") String from,
            @Parameters(paramLabel = "TO") String to,
            @Option(names = "--selector", paramLabel = "TEXT", description = SELECTOR) @Nullable String selector,
            @Option(names = "--max", paramLabel = "N", description = "at most so many") @Nullable Integer max)
            throws IOException {
        return bulk(options, "move", "moved", max, AdminClient.query("from", from, "to", to, "selector", selector));
    }

    @Command(name = "delete", description = "Deletes waiting messages.")
    int delete(
            @Mixin ConfigOptions options,
            @Parameters(paramLabel = "FROM", description = "a queue, or topic/NAME#SUBSCRIPTION") String from,
            @Option(names = "--selector", paramLabel = "TEXT", description = SELECTOR) @Nullable String selector,
            @Option(names = "--max", paramLabel = "N", description = "at most so many") @Nullable Integer max)
            throws IOException {
        return bulk(options, "delete", "deleted", max, AdminClient.query("from", from, "selector", selector));
    }

    @Command(name = "pause", description = "Pauses a destination until it is resumed or the server restarts.")
    int pause(
            @Mixin ConfigOptions options,
            @Parameters(paramLabel = "DESTINATION") String destination,
            @Option(
                            names = "--stage",
                            paramLabel = "STAGE",
                            defaultValue = "consumption",
                            description = "production, insertion or consumption (default: ${DEFAULT-VALUE})")
                    String stage)
            throws IOException {
        return change(options, "pause", AdminClient.query("destination", destination, "stage", stage));
    }

    @Command(name = "resume", description = "Resumes what was paused.")
    int resume(
            @Mixin ConfigOptions options,
            @Parameters(paramLabel = "DESTINATION") String destination,
            @Option(
                            names = "--stage",
                            paramLabel = "STAGE",
                            defaultValue = "consumption",
                            description = "production, insertion or consumption (default: ${DEFAULT-VALUE})")
                    String stage)
            throws IOException {
        return change(options, "resume", AdminClient.query("destination", destination, "stage", stage));
    }

    /** The server works for some seconds at a time; asked again until all is done. */
    private int bulk(ConfigOptions options, String what, String done, @Nullable Integer max, String query)
            throws IOException {
        long sum = 0;
        boolean complete = false;
        while (!complete) {
            String most = max == null ? "" : "&max=" + (max - sum);
            AdminClient.Answer answer =
                    AdminClient.of(options.dataDir()).post("/messaging/" + what + "?" + query + most);
            Map<String, Object> said = JmsStatistics.object(answer.text());
            sum += said.get(done) instanceof Number n ? n.longValue() : 0;
            if (answer.status() != 200) {
                throw new CliFailure(what + " stopped after " + sum + " messages: " + detail(answer, said));
            }
            complete = Boolean.TRUE.equals(said.get("complete")) || (max != null && sum >= max);
        }
        out(done + " " + sum + "\n");
        return 0;
    }

    private static String detail(AdminClient.Answer answer, Map<String, Object> said) {
        return String.valueOf(said.getOrDefault("detail", answer.text().strip()));
    }

    private int change(ConfigOptions options, String what, String query) throws IOException {
        AdminClient.Answer answer = AdminClient.of(options.dataDir()).post("/messaging/" + what + "?" + query);
        Map<String, Object> said = JmsStatistics.object(answer.text());
        if (answer.status() != 200) {
            throw new CliFailure(detail(answer, said));
        }
        said.forEach((word, value) -> out(word + " " + value + "\n"));
        return 0;
    }

    private void out(String text) {
        spec.commandLine().getOut().print(text);
        spec.commandLine().getOut().flush();
    }
}
