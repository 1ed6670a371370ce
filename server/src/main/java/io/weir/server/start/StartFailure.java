package io.weir.server.start;

import io.weir.base.IoReason;
import io.weir.server.catalogue.ServerMessages;
import io.weir.server.log.ServerLog;
import java.io.IOException;
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

    /** That of what a part of the server met. */
    public static StartFailure of(Exception why) {
        return new StartFailure(text(why), why);
    }

    private static String text(Exception why) {
        return why instanceof IOException e ? IoReason.of(e) : String.valueOf(why.getMessage());
    }

    /** Writes why a server does not start into its log, if that is open already: standard error may be discarded. */
    public static void tell(Collection<AutoCloseable> opened, Exception why) {
        for (AutoCloseable part : opened) {
            if (part instanceof ServerLog log) {
                log.log(ServerMessages.START_FAILED, why.getMessage() == null ? why : text(why));
            }
        }
    }
}
