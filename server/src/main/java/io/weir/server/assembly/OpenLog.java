package io.weir.server.assembly;

import io.weir.base.Clock;
import io.weir.base.Live;
import io.weir.base.Stats;
import io.weir.server.config.WeirConfig;
import io.weir.server.log.JdkLogging;
import io.weir.server.log.NettyLogging;
import io.weir.server.log.ServerLog;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;

/** Opens a process's log. */
public final class OpenLog {
    private OpenLog() {}

    /** Opens the log in a folder; Netty and the JDK log to it, too. */
    public static ServerLog in(Path folder, Live<WeirConfig> live, Clock clock, Stats stats, PrintStream stdout)
            throws IOException {
        ServerLog log = new ServerLog(live.part(c -> c.server().log()), folder, clock, stats, stdout);
        NettyLogging.into(log);
        JdkLogging.into(log);
        return log;
    }
}
