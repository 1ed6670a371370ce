package io.weir.server.start;

import io.weir.base.IoReason;
import io.weir.server.catalogue.ServerMessages;
import io.weir.server.log.ServerLog;
import java.io.IOException;
import java.io.Serial;
import java.util.Collection;

/** A server could not start; the message has what, where, why and what to do. */
public final class StartFailure extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Creates a failure; the message has what, where, why and what to do. */
    public StartFailure(String message, Throwable cause) {
        super(message, cause);
    }

    /** The failure for an exception of a part of the server. */
    public static StartFailure of(Exception why) {
        return new StartFailure(text(why), why);
    }

    private static String text(Exception why) {
        return why instanceof IOException e ? IoReason.of(e) : String.valueOf(why.getMessage());
    }

    /** Writes the reason into the server's log, if that is open already, because standard error may be discarded. */
    public static void report(Collection<AutoCloseable> opened, Exception why) {
        for (AutoCloseable part : opened) {
            if (part instanceof ServerLog log) {
                log.log(ServerMessages.START_FAILED, why.getMessage() == null ? why : text(why));
            }
        }
    }
}
