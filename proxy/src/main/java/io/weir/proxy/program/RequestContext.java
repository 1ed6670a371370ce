package io.weir.proxy.program;

import io.weir.http.RequestHead;
import io.weir.proxy.accesslog.LogSource;
import java.net.InetAddress;
import java.util.concurrent.Executor;

/** The exchange, as the program sees it. Confined to its loop; it outlives the run's use of it. */
public interface RequestContext extends LogSource {
    /** The head as received; valid until the exchange ends. */
    RequestHead head();

    InetAddress clientAddress();

    /** Whether the client's connection is TLS. */
    boolean secure();

    VirtualServer virtualServer();

    /** The loop that owns the exchange. */
    Executor loop();

    /**
     * A run that answered {@link RunState#WAITING} stands somewhere else now. Called on the loop.
     *
     * @param state never {@link RunState#WAITING}
     */
    void resumed(ProgramRun run, RunState state);
}
