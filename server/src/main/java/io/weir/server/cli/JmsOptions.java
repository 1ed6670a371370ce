package io.weir.server.cli;

import io.weir.jms.WeirConnectionFactory;
import io.weir.server.files.DataDirectory;
import io.weir.server.files.ReachableAt;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSSecurityRuntimeException;
import java.io.Console;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for the server that {@code weir jms} connects to, and the user. Lives for one call. */
final class JmsOptions {
    /** The environment variable with the password: the command line is seen by every user of the machine. */
    static final String PASSWORD = "WEIR_PASSWORD";

    /** The verb that has these options. */
    @Spec(Spec.Target.MIXEE)
    private CommandSpec verb = CommandSpec.create();

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "such as weir://host:7001; without it the server on the data directory")
    private @Nullable String url;

    @Option(
            names = "--user",
            paramLabel = "NAME",
            description = "user name; the password is read from " + PASSWORD + " or asked for")
    private @Nullable String user;

    /** A context with the login of the options; reports an operating fault in one line. */
    JMSContext open(int mode) throws IOException {
        ConnectionFactory factory = factory();
        try {
            return user == null ? factory.createContext(mode) : factory.createContext(user, password(), mode);
        } catch (JMSSecurityRuntimeException e) {
            throw new CliFailure(
                    e.getMessage() + ": "
                            + (user == null ? "specify a user with --user NAME" : "check --user " + user)
                            + "; the password is read from " + PASSWORD + " or asked for (./weir passwd sets it)",
                    e);
        }
    }

    private ConnectionFactory factory() throws IOException {
        try {
            return new WeirConnectionFactory(url == null ? local() : url);
        } catch (IllegalArgumentException e) {
            String text = String.valueOf(e.getMessage());
            throw url == null ? new CliFailure(text, e) : new ParameterException(verb.commandLine(), text, e);
        }
    }

    private String local() throws IOException {
        Path dataDir = options.dataDir();
        if (DataDirectory.running(dataDir) == null) {
            throw new CliFailure(
                    "no server is running on " + dataDir + ": start one with ./weir run, or name one by --url");
        }
        String at = DataDirectory.pidFile(dataDir).getOrDefault(ReachableAt.MESSAGING, "");
        if (at.isEmpty()) {
            throw new CliFailure("the server on " + dataDir + " has no listener for messaging");
        }
        return at;
    }

    private static String password() {
        String given = System.getenv(PASSWORD);
        if (given != null) {
            return given;
        }
        return Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .map(c -> c.readPassword("Password: "))
                .map(String::new)
                .orElseThrow(() -> new CliFailure("a password is needed: set " + PASSWORD));
    }
}
