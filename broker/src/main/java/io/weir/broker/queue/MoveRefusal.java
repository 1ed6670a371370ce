package io.weir.broker.queue;

import io.weir.broker.report.RequestRefusal;
import io.weir.jms.frames.RefusalCode;

/** Why some messages stay that were to be moved. Each of them waits by itself: others may be moved meanwhile. Immutable. */
public class MoveRefusal extends RequestRefusal {
    private static final long serialVersionUID = 1;
    /** Milliseconds after which a move is tried again that failed for another reason: of all its messages. */
    private static final long RETRY = 1000;

    private final long retry;

    /** @param retry milliseconds after which the move is tried again */
    public MoveRefusal(RefusalCode code, long retry, String text) {
        super(code, text);
        this.retry = retry;
    }

    /** After how many milliseconds what could not be moved is tried again. */
    static long retryMillis(RequestRefusal failure) {
        return failure instanceof MoveRefusal m ? m.retry : RETRY;
    }
}
