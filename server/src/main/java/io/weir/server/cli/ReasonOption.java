package io.weir.server.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --reason} of commands that change something. Lives for one call. */
final class ReasonOption {
    @Option(names = "--reason", paramLabel = "TEXT", description = "why, for the history and the audit line")
    private @Nullable String reason;

    /** The given reason; null for none. */
    @Nullable
    String text() {
        return reason;
    }
}
