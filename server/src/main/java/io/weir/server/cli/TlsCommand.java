package io.weir.server.cli;

import io.weir.server.cli.text.TlsText;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir tls [list|reload]}: the running server's certificates. Lives for one call. */
@Command(
        name = "tls",
        description = "Shows the running server's certificates, or reloads them.",
        sortOptions = false,
        footerHeading = WeirCommand.EXAMPLE,
        footer = "  ./weir tls list")
final class TlsCommand implements Callable<Integer> {
    /** What to do. */
    enum Verb {
        list,
        reload
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Parameters(arity = "0..1", paramLabel = "list|reload", description = "what to do (default: ${DEFAULT-VALUE})")
    private Verb verb = Verb.list;

    @Option(names = "--json", description = "the server's answer as it is, for programs")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        AdminClient client = AdminClient.of(options.dataDir());
        AdminClient.Answer answer = verb == Verb.reload ? client.post("/tls/reload") : client.get("/tls");
        // 409: some were loaded, some were not; the answer has which
        if (answer.status() != 200 && answer.status() != 409) {
            throw new CliFailure(answer.detail());
        }
        spec.commandLine().getOut().print(text(answer.text()));
        spec.commandLine().getOut().flush();
        return answer.status() == 200 ? 0 : 1;
    }

    private String text(String answer) {
        if (json) {
            return answer;
        }
        return verb == Verb.reload ? TlsText.reload(answer) : TlsText.list(answer);
    }
}
