package io.weir.broker.queue;

import io.weir.broker.report.RequestRefusal;
import io.weir.jms.frames.RefusalCode;

/**
 * Why some messages could not be moved. Each of them is delayed individually: others can be moved in the meantime.
 * Immutable.
 */
public class MoveRefusal extends RequestRefusal {
    private static final long serialVersionUID = 1;
    /** Milliseconds after which a move is retried, with all its messages, that failed for another reason. */
    private static final long RETRY = 1000;

    private final long retry;

    /** @param retry milliseconds after which the move is retried */
    public MoveRefusal(RefusalCode code, long retry, String text) {
        super(code, text);
        this.retry = retry;
    }

    /** Milliseconds after which messages that could not be moved are retried. */
    static long retryMillis(RequestRefusal failure) {
        return failure instanceof MoveRefusal m ? m.retry : RETRY;
    }
}
