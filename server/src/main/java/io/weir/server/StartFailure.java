package io.weir.server;

import io.weir.server.catalogue.ServerMessages;
import io.weir.server.log.ServerLog;
import java.io.Serial;
import java.util.Collection;

/** A server that could not start: the message says what, where, why and what to do. */
public final class StartFailure extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Says what, where, why and what to do. */
    public StartFailure(String message, Throwable cause) {
        super(message, cause);
    }

    /** Writes why a server does not start into its log, where that is open already: standard error may be read by nobody. */
    static void tell(Collection<AutoCloseable> opened, Exception why) {
        for (AutoCloseable part : opened) {
            if (part instanceof ServerLog log) {
                log.log(ServerMessages.START_FAILED, why.getMessage() == null ? why : why.getMessage());
            }
        }
    }
}
