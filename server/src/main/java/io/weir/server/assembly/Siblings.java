package io.weir.server.assembly;

import io.weir.kernel.Kernel;
import io.weir.kernel.listen.Listener;
import io.weir.proxy.accesslog.AccessLogs;
import io.weir.server.log.ServerLog;
import io.weir.server.start.Share;
import java.io.IOException;
import java.util.Set;

/** What a process and the others of its supervisor do for each other. Shared; lives as long as the process. */
public final class Siblings {
    private final Kernel kernel;
    private final Share share;
    private final ServerLog log;
    private final AccessLogs accessLogs;

    public Siblings(Kernel kernel, Share share, ServerLog log, AccessLogs accessLogs) {
        this.kernel = kernel;
        this.share = share;
        this.log = log;
        this.accessLogs = accessLogs;
    }

    /** Sets whether another process with the same number runs, which writes the same logs. */
    public void beside(boolean another) {
        log.beside(another);
        accessLogs.beside(another);
    }

    /**
     * Accepts the connections of these processes' sockets, too, besides its own.
     *
     * @throws IOException when no descriptor is free
     */
    public void acceptFor(Set<Integer> processes) throws IOException {
        for (Listener l : kernel.listeners()) {
            l.also(share.sockets(l.name(), processes));
        }
    }
}
