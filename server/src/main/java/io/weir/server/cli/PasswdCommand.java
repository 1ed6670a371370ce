package io.weir.server.cli;

import io.weir.server.users.FileRealm;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir passwd}: lists users, or sets one's password, read twice from the terminal or once from a pipe. Lives for one call. */
@Command(
        name = "passwd",
        description =
                "Sets a user's password and groups, or lists the users. Servers read the users from the data directory.",
        sortOptions = false,
        footerHeading = WeirCommand.EXAMPLE,
        footer = "  ./weir passwd anna --group admin")
final class PasswdCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Parameters(arity = "0..1", paramLabel = "USER", description = "without it the users are listed")
    private @Nullable String user;

    @Option(
            names = "--group",
            paramLabel = "GROUP",
            description = "a group of the user, such as admin; may be repeated; replaces those the user had")
    private List<String> groups = new ArrayList<>();

    @Option(names = "--delete", description = "removes the user")
    private boolean delete;

    @Override
    public Integer call() throws IOException {
        if (user == null && (delete || !groups.isEmpty())) {
            throw new ParameterException(
                    spec.commandLine(),
                    (delete ? "--delete" : "--group") + " needs the USER; without options users are listed");
        }
        if (delete && !groups.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "--delete removes the user: --group has no meaning with it");
        }
        FileRealm realm = new FileRealm(options.dataDir());
        PrintWriter out = spec.commandLine().getOut();
        if (user == null) {
            realm.users().forEach(u -> out.println(u.name() + "  " + String.join(", ", u.groups())));
        } else if (delete) {
            if (!realm.remove(user)) {
                throw new CliFailure("there is no user " + user);
            }
            out.println("User " + user + " was removed.");
            if (realm.users().isEmpty()) {
                out.println("It was the last user here: from now on messaging admits every client on this machine"
                        + " without a name and a password, unless messaging.wire.logins.guests is off.");
            }
        } else {
            boolean first = realm.users().isEmpty();
            set(realm, user);
            out.println("The password of " + user + " was set.");
            if (first) {
                out.println("It is the first user here: from now on messaging requires a name and a password from"
                        + " everybody (messaging.wire.logins.guests).");
            }
        }
        out.flush();
        return 0;
    }

    private void set(FileRealm realm, String name) throws IOException {
        char[] password = password(name);
        try {
            realm.set(name, password, groups);
        } catch (IllegalArgumentException e) {
            throw new CliFailure(String.valueOf(e.getMessage()), e);
        } finally {
            Arrays.fill(password, ' ');
        }
    }

    private static char[] password(String name) throws IOException {
        // JDK 25 answers null again where standard input is no terminal
        Optional<Console> terminal = Optional.ofNullable(System.console()).filter(Console::isTerminal);
        if (terminal.isEmpty()) {
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            String line = in.readLine();
            if (line == null) {
                throw new CliFailure("no password was given: write it as one line to standard input");
            }
            return line.toCharArray();
        }
        Console console = terminal.get();
        char[] first = console.readPassword("New password for %s: ", name);
        char[] second = console.readPassword("Once more: ");
        if (first == null || second == null || !Arrays.equals(first, second)) {
            throw new CliFailure("the two passwords differ: nothing was changed");
        }
        return first;
    }
}
