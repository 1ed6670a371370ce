package io.weir.server.start;

import io.weir.base.Clock;
import io.weir.server.config.LoadedConfig;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;

/**
 * What a server is started with. Immutable.
 *
 * @param loaded a usable configuration
 * @param dataDir absolute
 * @param clock the time of everything
 * @param stdout where notices are printed
 * @param version as shown by the views
 * @param share its part of several processes
 * @param begin runs before the first listener is opened
 */
public record ServerParts(
        LoadedConfig loaded,
        Path dataDir,
        Clock clock,
        PrintStream stdout,
        String version,
        Share share,
        Beginning begin) {
    /** What is to happen before a server accepts anything; when it fails, so does the start. */
    public interface Beginning {
        void run() throws IOException;
    }

    /** Parts of a server that is one process. */
    public ServerParts(LoadedConfig loaded, Path dataDir, Clock clock, PrintStream stdout, String version) {
        this(loaded, dataDir, clock, stdout, version, Share.whole(dataDir), () -> {});
    }
}
