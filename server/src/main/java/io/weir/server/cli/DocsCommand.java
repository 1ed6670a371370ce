package io.weir.server.cli;

import io.weir.server.docs.Reference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code weir docs}: writes the generated reference. Lives for one call. */
@Command(
        name = "docs",
        hidden = true,
        description = "Writes docs/knobs.md, docs/counters.md, docs/messages.md and docs/figures.md.")
final class DocsCommand implements Callable<Integer> {
    @Parameters(arity = "0..1", paramLabel = "FOLDER", description = "default: docs of the repository")
    private @Nullable Path folder;

    @Override
    public Integer call() throws IOException {
        Path home = ConfigOptions.home();
        Path into = folder != null ? folder : (home == null ? Path.of("docs") : home.resolve("docs"));
        Files.createDirectories(into);
        for (Map.Entry<String, String> e : Reference.files().entrySet()) {
            Files.writeString(into.resolve(e.getKey()), e.getValue());
        }
        return 0;
    }
}
