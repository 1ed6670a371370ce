package io.weir.server.cli;

import io.weir.server.cli.text.CacheGcText;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code weir cachegc}: makes the running server collect the garbage of its disk tier, and waits for it. Lives for one
 * call.
 */
@Command(
        name = "cachegc",
        description = "Collects the garbage of the running server's disk tier, down to cache.disk.gc.low-margin.",
        sortOptions = false,
        footerHeading = WeirCommand.EXAMPLE,
        footer = "  ./weir cachegc --to 50")
final class CacheGcCommand implements Callable<Integer> {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ServerOption server = new ServerOption();

    @Option(
            names = "--to",
            paramLabel = "PERCENT",
            description = "the share of its size that each partition keeps at most, 0 to 100")
    private int to = -1;

    @Option(names = "--json", description = "the server's answer as it is, for programs")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        if (spec.commandLine().getParseResult().hasMatchedOption("--to") && (to < 0 || to > 100)) {
            throw new ParameterException(spec.commandLine(), "--to takes 0 to 100, not " + to);
        }
        AdminClient client = server.client();
        AdminClient.Answer begun = client.post("/cache/gc" + (to < 0 ? "" : "?to=" + to));
        if (begun.status() != HttpURLConnection.HTTP_OK) {
            throw new CliFailure(begun.detail());
        }
        AdminClient.Answer now;
        do {
            LockSupport.parkNanos(LOOK_NANOS);
            now = client.get("/cache/gc");
            if (now.status() != HttpURLConnection.HTTP_OK) {
                throw new CliFailure(now.detail());
            }
        } while (CacheGcText.running(now.text()));
        spec.commandLine().getOut().print(json ? now.text() : CacheGcText.of(now.text()));
        spec.commandLine().getOut().flush();
        List<String> failed = CacheGcText.failed(now.text());
        if (!failed.isEmpty()) {
            throw new CliFailure("the garbage of " + String.join(", ", failed)
                    + " is not collected: the disk cannot be written (/health, and WEIR-101805 in the server log)");
        }
        return 0;
    }
}
