package io.weir.server.start;

import io.weir.base.Clock;
import io.weir.server.config.LoadedConfig;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;

/**
 * The parameters of a server's start. Immutable.
 *
 * @param loaded a usable configuration
 * @param dataDir absolute
 * @param clock the source of time
 * @param stdout where notices are printed
 * @param version as shown by the views
 * @param share its part if there are several processes
 * @param begin runs before the first listener for clients is opened
 */
public record ServerParts(
        LoadedConfig loaded,
        Path dataDir,
        Clock clock,
        PrintStream stdout,
        String version,
        Share share,
        Beginning begin) {
    /** Runs before a server accepts anything; if it fails, so does the start. */
    public interface Beginning {
        void run() throws IOException;
    }

    /** Parameters of a server with a single process. */
    public ServerParts(LoadedConfig loaded, Path dataDir, Clock clock, PrintStream stdout, String version) {
        this(loaded, dataDir, clock, stdout, version, Share.whole(dataDir), () -> {});
    }
}
