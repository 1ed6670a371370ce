package io.weir.server.assembly;

import io.weir.kernel.Kernel;
import io.weir.kernel.listen.Listener;
import io.weir.kernel.listen.SharedPort;
import io.weir.proxy.accesslog.AccessLogs;
import io.weir.server.log.ServerLog;
import io.weir.server.start.Share;
import java.io.IOException;
import java.util.Set;
import java.util.stream.Collectors;

/** What a process and the others of its supervisor do for each other. Shared; lives as long as the process. */
public final class Siblings {
    private final Kernel kernel;
    private final Share share;
    private final ServerLog log;
    private final AccessLogs accessLogs;
    private boolean left;

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
    public synchronized void acceptFor(Set<Integer> processes) throws IOException {
        if (left) {
            return;
        }
        for (Listener l : kernel.listeners()) {
            l.also(share.sockets(l.name(), processes));
        }
    }

    /**
     * Closes the descriptors of the sockets that this process does not accept from: while one of them is open, the
     * system lets clients connect to a socket whose process has stopped. What is accepted from continues until its
     * listener is closed.
     */
    public synchronized void leave() {
        if (left) {
            return;
        }
        left = true;
        Set<String> open = kernel.listeners().stream().map(Listener::name).collect(Collectors.toSet());
        share.sockets().forEach((listener, all) -> {
            for (int i = 0; i < all.size(); i++) {
                if (i + 1 != share.process() || !open.contains(listener)) {
                    SharedPort.release(all.get(i));
                }
            }
        });
    }
}
