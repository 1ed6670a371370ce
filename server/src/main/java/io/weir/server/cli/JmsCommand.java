package io.weir.server.cli;

import io.weir.base.ConfigNode;
import io.weir.base.KeyPath;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
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
 * {@code weir jms}: messages from the shell. Sending, receiving and browsing works as in any client; statistics,
 * moving, deleting and pausing go through the admin listener of the server on the data directory. Lives for one call.
 */
@Command(
        name = "jms",
        description = "Sends, receives and manages messages. A DESTINATION is queue/NAME or topic/NAME.",
        subcommands = {JmsSendCommand.class, JmsReceiveCommand.class, JmsBrowseCommand.class},
        synopsisSubcommandLabel = "WHAT",
        sortOptions = false,
        footerHeading = WeirCommand.EXAMPLE,
        footer = {"  ./weir jms stats", "  ./weir jms pause queue/demo --stage production"})
final class JmsCommand implements Runnable {
    private static final List<String> STAGES = List.of("production", "insertion", "consumption");

    private static final List<String> DECISIONS = List.of("commit", "rollback", "forget");

    private static final String SELECTOR = "only messages that a selector matches, such as \"colour = 'red'\"";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(
                new CommandLine(spec),
                "jms needs send, receive, browse, stats, subscriptions, unsubscribe, transactions, create, remove, damage,"
                        + " move, delete, pause or resume");
    }

    @Command(name = "stats", description = "Lists the destinations with their messages.")
    int stats(@Mixin ServerOption server) throws IOException {
        out(JmsStatistics.table(list(server, "/messaging")));
        return 0;
    }

    @Command(
            name = "subscriptions",
            description =
                    "Lists durable and shared subscriptions with their messages, by the names that move and delete take.")
    int subscriptions(@Mixin ServerOption server) throws IOException {
        out(JmsStatistics.subscriptions(list(server, "/messaging/subscriptions")));
        return 0;
    }

    private static String list(ServerOption server, String path) throws IOException {
        AdminClient.Answer answer = server.client().get(path);
        if (answer.status() == 404) {
            throw new CliFailure("the server has no listener for messaging");
        }
        return answer.checked().text();
    }

    @Command(
            name = "unsubscribe",
            description = "Deletes a durable subscription with its messages, in the place of a client that is gone.")
    int unsubscribe(
            @Mixin ServerOption server,
            @Parameters(paramLabel = "SUBSCRIPTION", description = "topic/NAME#KEY, as jms subscriptions lists it")
                    String subscription)
            throws IOException {
        return change(server, "unsubscribe", AdminClient.query("subscription", subscription));
    }

    @Command(
            name = "transactions",
            description = {
                "Lists distributed (XA) transactions in doubt: prepared, and not ended by their transaction manager.",
                "With a DECISION ends one in its place; the manager is told when it asks, and until then, or until it"
                        + " is forgotten here, the decision stays in the list."
            })
    int transactions(
            @Mixin ServerOption server,
            @Parameters(
                            arity = "0..1",
                            paramLabel = "DECISION",
                            description = "commit, rollback or forget; without it the transactions are listed")
                    @Nullable
                    String decision,
            @Parameters(arity = "0..1", paramLabel = "ID", description = "FORMAT:GLOBAL:QUALIFIER, as listed") @Nullable
                    String id,
            @Option(names = "--json", description = "for programs") boolean json)
            throws IOException {
        if (decision == null) {
            String text = list(server, "/messaging/transactions");
            out(json ? text : JmsStatistics.transactions(text));
            return 0;
        }
        if (!DECISIONS.contains(decision)) {
            throw usage("transactions", "DECISION is commit, rollback or forget, not " + decision);
        }
        if (id == null) {
            throw usage(
                    "transactions", decision + " needs the ID of the transaction, as ./weir jms transactions lists it");
        }
        server.client()
                .post("/messaging/transactions?" + AdminClient.query("id", id, "decision", decision))
                .checked();
        String done =
                decision.equals("commit") ? "committed " : decision.equals("rollback") ? "rolled back " : "forgot ";
        out(done + id + "\n");
        return 0;
    }

    @Command(name = "damage", description = "Lists damage of the journals that is not acknowledged, and what was lost.")
    int damage(
            @Mixin ServerOption server,
            @Option(names = "--json", description = "for programs") boolean json,
            @Option(names = "--acknowledge", description = "acknowledges what is listed") boolean acknowledge)
            throws IOException {
        out(new JmsDamage(server).list(json, acknowledge));
        return 0;
    }

    @Command(name = "move", description = "Moves waiting messages to another destination.")
    int move(
            @Mixin ServerOption server,
            @Parameters(paramLabel = "FROM", description = "a queue, or topic/NAME#SUBSCRIPTION") String from,
            @Parameters(paramLabel = "TO", description = "a queue, or a topic: topic/NAME, to all of its subscriptions")
                    String to,
            @Option(names = "--selector", paramLabel = "TEXT", description = SELECTOR) @Nullable String selector,
            @Option(names = "--max", paramLabel = "N", description = "maximum number of messages") @Nullable
                    Integer max)
            throws IOException {
        checkMax("move", max);
        return bulk(server, "move", "moved", max, AdminClient.query("from", from, "to", to, "selector", selector));
    }

    @Command(name = "delete", description = "Deletes waiting messages.")
    int delete(
            @Mixin ServerOption server,
            @Parameters(paramLabel = "FROM", description = "a queue, or topic/NAME#SUBSCRIPTION") String from,
            @Option(names = "--selector", paramLabel = "TEXT", description = SELECTOR) @Nullable String selector,
            @Option(names = "--max", paramLabel = "N", description = "maximum number of messages") @Nullable
                    Integer max)
            throws IOException {
        checkMax("delete", max);
        return bulk(server, "delete", "deleted", max, AdminClient.query("from", from, "selector", selector));
    }

    @Command(
            name = "create",
            description = "Creates a queue or topic in the running server and its configuration (config set).")
    int create(
            @Mixin ServerOption server,
            @Parameters(paramLabel = "DESTINATION", converter = JmsName.Converter.class) JmsName destination)
            throws IOException {
        return configured(server, destination, "created", ConfigNode.Mapping.empty(ConfigNode.Place.of("jms create")));
    }

    @Command(
            name = "remove",
            description =
                    "Removes a queue or topic from the configuration: it takes no new messages, and is deleted when"
                            + " those that it has are consumed, moved or deleted.")
    int remove(
            @Mixin ServerOption server,
            @Parameters(paramLabel = "DESTINATION", converter = JmsName.Converter.class) JmsName destination)
            throws IOException {
        return configured(server, destination, "removed", new ConfigNode.Scalar(ConfigNode.Place.of("jms remove"), ""));
    }

    private int configured(ServerOption server, JmsName d, String done, ConfigNode value) throws IOException {
        String key = KeyPath.join(d.topic() ? "messaging.topics" : "messaging.queues", d.name());
        AdminClient admin = server.client();
        boolean exists = exists(admin, key);
        boolean create = value instanceof ConfigNode.Mapping;
        if (exists == create) {
            throw new CliFailure(
                    d + (exists ? " is configured already" : " is not configured") + ": nothing was changed");
        }
        if (create && dropRemoval(admin, key)) {
            out("created " + d + ": as the file has it, its removal is dropped\n");
            return 0;
        }
        admin.change(Map.of(key, value), true);
        AdminClient.Answer there = admin.get("/messaging");
        boolean later = create && there.status() == 200 && !there.text().contains("\"" + d + "\"");
        out(done + " " + d + (later ? ": it exists from the server's next start (its log says why)" : "") + "\n");
        return 0;
    }

    /**
     * Takes the removal of a destination that the file has back: a new entry in its place would hide the file's, with
     * what it says of access and quota.
     */
    private static boolean dropRemoval(AdminClient admin, String key) throws IOException {
        String path = URLEncoder.encode(key, StandardCharsets.UTF_8);
        AdminClient.Answer dropped = admin.delete("/knobs/" + path);
        return dropped.status() != 404
                && exists(admin, key)
                && dropped.checked().status() == 200;
    }

    private static boolean exists(AdminClient admin, String key) throws IOException {
        return admin.get("/knobs?" + AdminClient.query("prefix", key + "."))
                .checked()
                .text()
                .contains("\"key\"");
    }

    @Command(name = "pause", description = "Pauses a destination until it is resumed or the server restarts.")
    int pause(
            @Mixin ServerOption server,
            @Parameters(paramLabel = "DESTINATION") String destination,
            @Option(
                            names = "--stage",
                            paramLabel = "STAGE",
                            defaultValue = "consumption",
                            description = "production, insertion or consumption (default: ${DEFAULT-VALUE})")
                    String stage)
            throws IOException {
        checkStage("pause", stage);
        return change(server, "pause", AdminClient.query("destination", destination, "stage", stage));
    }

    @Command(name = "resume", description = "Resumes what was paused: all stages, or one.")
    int resume(
            @Mixin ServerOption server,
            @Parameters(paramLabel = "DESTINATION") String destination,
            @Option(
                            names = "--stage",
                            paramLabel = "STAGE",
                            description = "production, insertion or consumption only (default: all that are paused)")
                    @Nullable
                    String stage)
            throws IOException {
        checkStage("resume", stage);
        return change(server, "resume", AdminClient.query("destination", destination, "stage", stage));
    }

    /** The server works for some seconds at a time: repeats the request until all is done. */
    private int bulk(ServerOption server, String what, String done, @Nullable Integer max, String query)
            throws IOException {
        long sum = 0;
        boolean complete = false;
        AdminClient admin = server.client();
        while (!complete) {
            String most = max == null ? "" : "&max=" + (max - sum);
            AdminClient.Answer answer = admin.post("/messaging/" + what + "?" + query + most);
            Map<String, Object> said = answer.object();
            sum += said.get(done) instanceof Number n ? n.longValue() : 0;
            if (answer.status() != 200) {
                throw new CliFailure(
                        (sum == 0 ? "" : what + " stopped after " + sum + " messages: ") + answer.detail());
            }
            complete = Boolean.TRUE.equals(said.get("complete")) || (max != null && sum >= max);
        }
        out(done + " " + sum + "\n");
        return 0;
    }

    private void checkMax(String verb, @Nullable Integer max) {
        if (max != null && max < 0) {
            throw usage(verb, "--max is a number of messages, not " + max);
        }
    }

    private void checkStage(String verb, @Nullable String stage) {
        if (stage != null && !STAGES.contains(stage)) {
            throw usage(verb, "--stage is production, insertion or consumption, not " + stage);
        }
    }

    /** Wrong usage of a verb: shows the verb's help. */
    private ParameterException usage(String verb, String text) {
        return new ParameterException(spec.subcommands().get(verb), text);
    }

    private int change(ServerOption server, String what, String query) throws IOException {
        AdminClient.Answer answer = server.client().post("/messaging/" + what + "?" + query);
        answer.checked().object().forEach((word, value) -> out(word + " " + value + "\n"));
        return 0;
    }

    private void out(String text) {
        spec.commandLine().getOut().print(text);
        spec.commandLine().getOut().flush();
    }
}
