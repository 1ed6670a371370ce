package io.weir.proxy.accesslog;

import io.weir.base.Clock;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The access log: lanes that loops append to, and the thread that writes them to a file. Shared. */
public final class AccessLog implements AutoCloseable {
    private AccessLog() {}

    /** Opens the log and starts its writer; null when the format is off. */
    public static @Nullable AccessLog open(
            Live<AccessLogConfig> config, Path dataDirectory, Clock clock, Stats stats, Log log) {
        return null;
    }

    /** A lane for a loop; closed with the log. */
    public LogLane lane() {
        return new LogLane();
    }

    /** Opens the file anew, after somebody moved it. */
    public void reopen() {}

    /** Writes what is left and stops the writer. */
    @Override
    public void close() {}
}
