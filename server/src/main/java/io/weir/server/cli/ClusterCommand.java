package io.weir.server.cli;

import io.weir.server.cli.text.ClusterText;
import java.io.IOException;
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
 * {@code weir cluster}: shows the cluster and changes it through the admin listener of the server on the data
 * directory, or of one elsewhere. Lives for one call.
 */
@Command(
        name = "cluster",
        description = "Shows the cluster of the running server, and changes it.",
        subcommands = {DeployCommand.Deploy.class, DeployCommand.Redeploy.class, DeployCommand.Undeploy.class},
        synopsisSubcommandLabel = "WHAT",
        sortOptions = false,
        footerHeading = WeirCommand.EXAMPLE,
        footer = {"  ./weir cluster status", "  ./weir cluster migrate orders --to 10.0.0.2:7001"})
final class ClusterCommand implements Runnable {
    private static final String JSON = "prints the admin listener's JSON";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(
                new CommandLine(spec),
                "cluster needs status, members, singletons, leases, timers, bindings, checkpoints, deployments, purges, history,"
                        + " explain, migrate, pause, resume, forget, add, remove, replace, deploy, redeploy or undeploy");
    }

    @Command(name = "status", description = "Shows the state of this member and its cluster.")
    int status(@Mixin ServerOption server, @Option(names = "--json", description = JSON) boolean json)
            throws IOException {
        return show(server, "", json);
    }

    @Command(name = "members", description = "Lists the members.")
    int members(@Mixin ServerOption server, @Option(names = "--json", description = JSON) boolean json)
            throws IOException {
        return show(server, "/members", json);
    }

    @Command(name = "singletons", description = "Lists the singletons and where they are.")
    int singletons(@Mixin ServerOption server, @Option(names = "--json", description = JSON) boolean json)
            throws IOException {
        return show(server, "/singletons", json);
    }

    @Command(name = "leases", description = "Lists the leases with owner and fence.")
    int leases(@Mixin ServerOption server, @Option(names = "--json", description = JSON) boolean json)
            throws IOException {
        return show(server, "/leases", json);
    }

    @Command(name = "bindings", description = "Lists the names that are bound.")
    int bindings(@Mixin ServerOption server, @Option(names = "--json", description = JSON) boolean json)
            throws IOException {
        return show(server, "/bindings", json);
    }

    @Command(name = "checkpoints", description = "Lists the checkpoints of singletons.")
    int checkpoints(@Mixin ServerOption server, @Option(names = "--json", description = JSON) boolean json)
            throws IOException {
        return show(server, "/checkpoints", json);
    }

    @Command(name = "deployments", description = "Lists the deployments.")
    int deployments(@Mixin ServerOption server, @Option(names = "--json", description = JSON) boolean json)
            throws IOException {
        return show(server, "/deployments", json);
    }

    @Command(name = "purges", description = "Lists how far the members' caches have applied the purges.")
    int purges(@Mixin ServerOption server, @Option(names = "--json", description = JSON) boolean json)
            throws IOException {
        return show(server, "/purges", json);
    }

    @Command(name = "history", description = "Lists the history, the newest last.")
    int history(
            @Mixin ServerOption server,
            @Parameters(paramLabel = "NAME", arity = "0..1", description = "only entries of this one") @Nullable
                    String name,
            @Option(names = "-n", paramLabel = "N", description = "number of lines (default: 100)") @Nullable Integer n,
            @Option(names = "--json", description = JSON) boolean json)
            throws IOException {
        if (n != null && n < 1) {
            throw usage("history", "-n is a number of lines, not " + n);
        }
        return show(server, "/history?" + AdminClient.query("name", name, "n", n), json);
    }

    @Command(name = "explain", description = "Explains why a singleton is where it is, and why not elsewhere.")
    int explain(
            @Mixin ServerOption server,
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--json", description = JSON) boolean json)
            throws IOException {
        return show(server, "/explain?" + AdminClient.query("name", name), json);
    }

    @Command(name = "timers", description = "Lists the timers, or changes one: timers pause|resume|fire|forget NAME.")
    int timers(
            @Mixin ServerOption server,
            @Parameters(index = "0", paramLabel = "WHAT", arity = "0..1", defaultValue = "list") String what,
            @Parameters(index = "1", paramLabel = "NAME", arity = "0..1") @Nullable String name,
            @Mixin ReasonOption reason,
            @Option(names = "--json", description = JSON) boolean json)
            throws IOException {
        if (what.equals("list")) {
            return show(server, "/timers", json);
        }
        if (!List.of("pause", "resume", "fire", "forget").contains(what)) {
            throw usage("timers", "timers takes list, or pause, resume, fire or forget with a NAME, not " + what);
        }
        if (name == null) {
            throw usage("timers", "timers " + what + " needs the NAME of a timer; timers lists them");
        }
        return change(server, "timers/" + what, AdminClient.query("id", name, "reason", reason.text()));
    }

    @Command(name = "migrate", description = "Moves a singleton to another member.")
    int migrate(
            @Mixin ServerOption server,
            @Parameters(paramLabel = "NAME") String name,
            @Option(
                            names = "--to",
                            paramLabel = "MEMBER",
                            description = "target member (default: any other on which it" + " may run)")
                    @Nullable
                    String to,
            @Mixin ReasonOption reason)
            throws IOException {
        return change(server, "migrate", AdminClient.query("name", name, "to", to, "reason", reason.text()));
    }

    @Command(name = "pause", description = "Deactivates a singleton until it is resumed.")
    int pause(@Mixin ServerOption server, @Parameters(paramLabel = "NAME") String name, @Mixin ReasonOption reason)
            throws IOException {
        return change(server, "pause", AdminClient.query("name", name, "reason", reason.text()));
    }

    @Command(name = "resume", description = "Resumes a singleton that was paused, or failed everywhere.")
    int resume(@Mixin ServerOption server, @Parameters(paramLabel = "NAME") String name, @Mixin ReasonOption reason)
            throws IOException {
        return change(server, "resume", AdminClient.query("name", name, "reason", reason.text()));
    }

    @Command(name = "forget", description = "Forgets a singleton that no member's configuration has any more.")
    int forget(@Mixin ServerOption server, @Parameters(paramLabel = "NAME") String name, @Mixin ReasonOption reason)
            throws IOException {
        return change(server, "forget", AdminClient.query("name", name, "reason", reason.text()));
    }

    @Command(name = "add", description = "Adds a running member that is in no cluster.")
    int add(
            @Mixin ServerOption server,
            @Parameters(paramLabel = "ADDRESS", description = "host:port of its weir listener") String address,
            @Mixin ReasonOption reason)
            throws IOException {
        return change(server, "add", AdminClient.query("address", address, "reason", reason.text()));
    }

    @Command(name = "remove", description = "Removes a stopped member from the cluster.")
    int remove(@Mixin ServerOption server, @Parameters(paramLabel = "MEMBER") String member, @Mixin ReasonOption reason)
            throws IOException {
        return change(server, "remove", AdminClient.query("member", member, "reason", reason.text()));
    }

    @Command(name = "replace", description = "Replaces a member by a new one, in one step.")
    int replace(
            @Mixin ServerOption server,
            @Parameters(index = "0", paramLabel = "MEMBER") String member,
            @Parameters(index = "1", paramLabel = "ADDRESS", description = "host:port of the new one's weir listener")
                    String address,
            @Mixin ReasonOption reason)
            throws IOException {
        return change(
                server, "replace", AdminClient.query("member", member, "address", address, "reason", reason.text()));
    }

    /** Wrong usage of a subcommand: shows the help of the subcommand, not that of all. */
    private ParameterException usage(String word, String text) {
        return new ParameterException(spec.subcommands().get(word), text);
    }

    private int show(ServerOption server, String path, boolean json) throws IOException {
        AdminClient.Answer answer = server.client().get("/cluster" + path);
        answer.checked();
        out(json ? answer.text() : ClusterText.of(answer.text()));
        if (!answer.outage().isEmpty()) {
            spec.commandLine()
                    .getErr()
                    .println("weir: " + answer.outage()
                            + ": what other members have is unknown here, or from before that");
        }
        return 0;
    }

    private int change(ServerOption server, String what, String query) throws IOException {
        AdminClient.Answer answer = server.client().post("/cluster/" + what + "?" + query);
        Map<String, Object> said = answer.checked().object();
        Object to = said.get("to");
        out(said.get("what") + " " + said.get("name") + (to == null ? "" : " to " + to) + ": " + said.get("outcome")
                + "\n");
        return 0;
    }

    private void out(String text) {
        spec.commandLine().getOut().print(text);
        spec.commandLine().getOut().flush();
    }
}
